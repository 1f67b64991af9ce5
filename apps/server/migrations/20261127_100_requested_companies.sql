-- The request by which somebody who has an account made this company: sent again, it makes no second one.
alter table membership add column request_key text;
create unique index membership_request on membership (user_id, request_key) where request_key is not null;

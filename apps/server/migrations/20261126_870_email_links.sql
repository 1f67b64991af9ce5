-- The address that a link of kind 'email' was sent to: it confirms that one and no other. Older links confirm none.
alter table token add column new_email text check (length(new_email) between 3 and 254);

-- Earlier versions counted what credit memos of an estimate's invoices credit as not invoiced any more. An accepted or
-- invoiced estimate gets the state that its invoices say.
alter table document no force row level security;
alter table invoice_line no force row level security;
update document d set status = n.status, row_version = d.row_version + 1
from (
  select e.company_id, e.id,
    case when bool_or(t.taken > 0) and not bool_or(t.taken < l.quantity and t.is_counted) then 15 else 13 end::smallint
      as status
  from document e
  join invoice_line l on l.company_id = e.company_id and l.invoice_id = e.id and not l.deleted
  cross join lateral (
    select coalesce(sum(i.quantity), 0) as taken,
      (l.discount_terms ->> 'discountType')::int is distinct from 1 as is_counted
    from invoice_line i join document v on v.company_id = i.company_id and v.id = i.invoice_id
    where i.company_id = l.company_id and i.estimate_line_id = l.id and not i.deleted and not v.deleted
      and v.estimate_id is not null and (v.is_posted or v.is_draft)) t
  where e.kind = 'estimate' and e.status in (13, 15) and not e.deleted
  group by e.company_id, e.id) n
where d.company_id = n.company_id and d.id = n.id and d.status <> n.status
  and (n.status = 15 or d.status = 15);

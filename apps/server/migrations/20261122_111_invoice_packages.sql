-- Packages and discounts on invoices. What they were when the line was made is kept on the line: a package's parts with
-- what is posted of each, a discount's terms. Later changes of the catalogue do not reach it.
alter table invoice_line
  add column package_id bigint,
  add column discount_id bigint,
  add column package_parts jsonb,
  add column discount_terms jsonb,
  add constraint invoice_line_made_of check (num_nonnulls(product_id, package_id, discount_id) <= 1),
  add constraint invoice_line_package check ((package_id is null) = (package_parts is null)),
  add constraint invoice_line_discount check ((discount_id is null) = (discount_terms is null)),
  add foreign key (company_id, package_id) references package (company_id, id),
  add foreign key (company_id, discount_id) references discount (company_id, id);

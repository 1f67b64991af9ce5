-- Whether the tax of a scenario's items is rounded for each item or once for all of them, as Washington (RCW 82.08.054)
-- and Ohio (R.C. 5739.025(E)) require. Invoices keep the rule in their tax items.
alter table sales_tax_scenario add column tax_rounding text not null default 'item'
  check (tax_rounding in ('item', 'combined'));
-- Later rates of an item, each as {"from": "2027-01-01", "percentage": "6.75"}, in order of their first days. An
-- invoice takes the rate of its date. Until the first of these days, it takes the item's own percentage.
alter table sales_tax_item add column rates jsonb not null default '[]'::jsonb;

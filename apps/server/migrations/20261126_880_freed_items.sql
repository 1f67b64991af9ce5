-- The work item that a line billed until its invoice was made void. An invoice that is opened again takes it back, or
-- is refused where another invoice has billed it meanwhile. No row of that id need be there: the item may be removed.
alter table invoice_line add column freed_item_id bigint;

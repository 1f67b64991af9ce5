-- A private link can also open a vendor's page, with the consent to electronic delivery and the copies of 1099 forms.
alter table document_link add column vendor_id bigint;
alter table document_link drop constraint document_link_about;
alter table document_link add constraint document_link_about
  check (num_nonnulls(document_id, entity_id, vendor_id) = 1);
alter table document_link add foreign key (company_id, vendor_id) references entity (company_id, id);
create index document_link_vendor on document_link (company_id, vendor_id) where vendor_id is not null;

-- A vendor's consent to electronic copies of 1099 forms. The audit log has the earlier requests and consents.
create table form_1099_consent (
  company_id bigint not null references company,
  entity_id bigint not null,
  -- Counts the requests, so that a repeated request finds the first one.
  requests integer not null check (requests > 0),
  requested_at timestamptz not null,
  consented_at timestamptz,
  -- The version of the disclosures that the vendor saw (core/taxes/copies).
  text_version integer,
  withdrawn_at timestamptz,
  primary key (company_id, entity_id),
  constraint form_1099_consent_text check ((consented_at is null) = (text_version is null)),
  constraint form_1099_consent_withdrawn check (withdrawn_at is null or consented_at is not null),
  constraint form_1099_consent_entity_id_fkey foreign key (company_id, entity_id)
    references entity (company_id, id) on delete cascade
);

-- The recipient's copy of a filed form, with the email that announced it last. The vendor's page shows it.
create table form_1099_copy (
  company_id bigint not null references company,
  form_id bigint not null,
  times integer not null check (times > 0),
  mail_id bigint not null,
  -- The first posting, which decides how long a corrected copy is available.
  posted_at timestamptz not null default now(),
  opened_at timestamptz,
  primary key (company_id, form_id),
  constraint form_1099_copy_form_id_fkey foreign key (company_id, form_id)
    references form_1099 (company_id, id) on delete cascade,
  constraint form_1099_copy_mail_id_fkey foreign key (company_id, mail_id) references mail (company_id, id)
);

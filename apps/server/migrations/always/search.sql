-- Runs after the migrations at every start. Creates the word index if it is possible and the index does not exist yet.
-- The index uses groups of three letters (pg_trgm), so it also finds text in the middle of words. With row-level
-- security, PostgreSQL uses an index only for leakproof operators, and only a superuser can declare an operator as
-- leakproof. If the schema's owner is not a superuser, or the extension is not installed, searches read all of the
-- company's entries with the same statements. This also applies to Citus, which can't create an operator class on its
-- other servers.
do $$
begin
  if to_regclass('search_entry_words') is not null or exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  begin
    create extension if not exists pg_trgm;
    create or replace function search_has(text, text) returns boolean
      language internal immutable strict parallel safe leakproof as 'textlike';
    if not exists (select from pg_opclass where opcname = 'search_words_ops') then
      create operator class search_words_ops for type text using gin as
        operator 3 @~ (text, text),
        function 1 btint4cmp(integer, integer),
        function 2 gin_extract_value_trgm(text, internal),
        function 3 gin_extract_query_trgm(text, internal, int2, internal, internal, internal, internal),
        function 4 gin_trgm_consistent(internal, int2, text, int4, internal, internal, internal, internal),
        function 6 gin_trgm_triconsistent(internal, int2, text, int4, internal, internal, internal),
        storage int4;
    end if;
    -- New entries wait in a short list (gin_pending_list_limit, 4 MB) and are added to the index in batches. Adding
    -- each entry separately would cost several times as much.
    create index search_entry_words on search_entry using gin (words search_words_ops);
  exception
    when insufficient_privilege or undefined_file or undefined_function or feature_not_supported then
      raise notice 'the word index for searches can''t be created: %', sqlerrm;
  end;
end $$;

-- Run after the migrations, each time: the index of words, once it can be made. It finds what stands in the middle of
-- words by their groups of three letters (pg_trgm). Row-level security keeps an index from every operator that might
-- tell of rows of others; ours is said to tell nothing, which only a superuser may say. If the owner of the schema is
-- none, or the extension is not installed, searches read the company's entries instead: the statements are the same.
-- So it is on Citus, which cannot make a class of operators on its other servers.
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
    -- New entries wait in a short list (gin_pending_list_limit, 4 MB) and are taken into the index many at a time, or
    -- each would cost several times as much.
    create index search_entry_words on search_entry using gin (words search_words_ops);
  exception
    when insufficient_privilege or undefined_file or undefined_function or feature_not_supported then
      raise notice 'searches have no index of words: %', sqlerrm;
  end;
end $$;

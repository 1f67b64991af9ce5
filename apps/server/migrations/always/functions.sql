-- Runs after the migrations at every start. Replaces calls of search_of_… functions inside other search functions with
-- the queries of these functions, because a distributed database can't plan a function call that takes a company's ID
-- and reads tables. If a migration changes such a query, the copies change too.
do $$
declare
  f record;
  wanted text;
  body text;
begin
  for f in
    select p.oid, p.proname, p.prosrc, p.provolatile, p.oid::regprocedure as signature, w.proname as source,
      w.prosrc as query
    from pg_proc p
    join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
    join pg_proc w on w.pronamespace = 'public'::regnamespace and w.proname like 'search\_of\_%'
      and (position(w.proname || '(company) w' in p.prosrc) > 0
        or position('/* ' || w.proname || ' */' in p.prosrc) > 0)
    where p.pronamespace = 'public'::regnamespace
  loop
    wanted := format('(/* %1$s */%2$s/* %1$s ends */)'
      ' w (company_id, kind, id, key, words, amount_cents, day, is_open)', f.source, f.query);
    -- A backslash in the replacement text would have a special meaning.
    body := regexp_replace(replace(f.prosrc, f.source || '(company) w', wanted),
      format('\(/\* %1$s \*/.*?/\* %1$s ends \*/\) w \([^)]*\)', f.source), replace(wanted, '\', '\\'), 'g');
    if body is distinct from f.prosrc then
      execute replace(pg_get_functiondef(f.oid), f.prosrc, body);
    end if;
  end loop;
end $$;

-- Citus only creates plans for given values, so a function that requires generic plans would fail there.
do $$
declare
  f record;
begin
  if not exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  for f in
    select p.oid::regprocedure as signature from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proconfig::text like '%plan_cache_mode%'
  loop
    execute format('alter function %s reset plan_cache_mode', f.signature);
  end loop;
end $$;

with

-- ties: Comments equal to the cursor in the first key, in everybody’s list; of these, those of followed authors.
ties as materialized (
  select seen.id as id, seen.start_order as k1, seen.id as k2
  from (
    select *
    from (
      select x.id, x.start_order, x.author_id
      from comment x
      where x.listed = :listed and x.id > 0 and x.start_order = :after1 and x.id < :after2
      order by x.id desc
      limit 40000) widest
    order by widest.id desc
    limit :window) seen
  where (seen.author_id in (
      select f.followee_id
      from follow f
      where f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now)) is true
  order by seen.id desc
  limit :reach),

-- others: The rest of everybody’s list, unless the ties filled the block or the window.
others as materialized (
  select seen.id as id, seen.start_order as k1, seen.id as k2
  from (
    select *
    from (
      select x.id, x.start_order, x.author_id
      from comment x
      where x.listed = :listed and x.id > 0 and x.start_order < :after1
      order by x.start_order desc, x.id desc
      limit 40000) widest
    order by widest.start_order desc, widest.id desc
    limit case when (
      select count(*)
      from ties) >= :reach then 0 when (
      select x.id
      from comment x
      where x.listed = :listed and x.id > 0 and x.start_order = :after1 and x.id < :after2
      order by x.id desc
      limit 1 offset :window - 1) is not null then 0 else :window end) seen
  where (seen.author_id in (
      select f.followee_id
      from follow f
      where f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now)) is true
  order by seen.start_order desc, seen.id desc
  limit :reach),

-- found: Comments of followed authors within the window.
found as (
  select *
  from ties
  union all
  select *
  from others),

-- page: The block.
page as (
  select *
  from (
    select *
    from found) as listed
  order by listed.k1 desc, listed.k2 desc
  limit :limit offset :offset)

-- The rows of the block.
select list_state.*, page.k1, page.k2, c.id, c.bet_id, c.created_at, c.text, c.featured, c.linked_id, c.price_num as given_num, c.price_den as given_den, c.starting_price as given_starting_price, k.likes, o.id as outcome_id, o.name as outcome_name, o.status as outcome_status, o.starting_price, o.price_num, o.price_den, o.result, m.id as market_id, m.name as market_name, m.status as market_status, m.settled_at, e.id as event_id, e.name as event_name, e.status as event_status, e.sport_id, (
  select 1
  from comment_like
  where comment_id = c.id and profile_id = :reader) is not null as is_liked, (
  select 1
  from flag
  where kind = 'comment' and subject_id = c.id and profile_id = :reader) is not null as is_flagged
from (
  select exists (
    select 1
    from comment_work) as pending, case when (
    select count(*)
    from found) >= :reach then 1 when (
    select x.id
    from comment x
    where x.listed = :listed and x.id > 0 and x.start_order = :after1 and x.id < :after2
    order by x.id desc
    limit 1 offset :window - 1) is not null then 0 when (
    select x.id
    from comment x
    where x.listed = :listed and x.id > 0 and x.start_order < :after1
    order by x.start_order desc, x.id desc
    limit 1 offset :window - 1) is not null then 0 else 1 end as complete) list_state
left join page on true
left join comment c on c.id = page.id
left join comment_count k on k.comment_id = c.id
left join outcome o on o.id = c.outcome_id
left join market m on m.id = o.market_id
left join event e on e.id = m.event_id
order by page.k1 desc, page.k2 desc

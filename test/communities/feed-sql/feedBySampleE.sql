with

-- sampled: The comments of every :sample-th followed author.
sampled as materialized (
  select x.start_order as k1, x.id as k2
  from follow f
  cross join comment x
  where f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now and x.author_id = f.followee_id and x.listed = :listed and (x.start_order, x.id) < (:after1, :after2) and f.id % :sample = 0
  limit 40000),

-- bound: Number :rank of these.
bound as materialized (
  select *
  from sampled
  order by sampled.k1 desc, sampled.k2 desc
  limit 1 offset :rank - 1),

-- above: The comments of all followed authors from the bound on.
above as materialized (
  select x.id as id, x.start_order as k1, x.id as k2
  from follow f
  cross join comment x
  where f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now and x.author_id = f.followee_id and x.listed = :listed and (x.start_order, x.id) < (:after1, :after2) and (x.start_order, x.id) >= (coalesce((
        select k1
        from bound), -9007199254740991), coalesce((
        select k2
        from bound), -9007199254740991))
  limit 40000),

-- page: The block.
page as (
  select *
  from (
    select *
    from above) as listed
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
    from comment_work) as pending, (
    select number < 40000 and (number >= :reach or not exists (
        select 1
        from bound))
    from (
      select count(*) as number
      from above) as counted) as complete) list_state
left join page on true
left join comment c on c.id = page.id
left join comment_count k on k.comment_id = c.id
left join outcome o on o.id = c.outcome_id
left join market m on m.id = o.market_id
left join event e on e.id = m.event_id
order by page.k1 desc, page.k2 desc

-- Role feed is two: feed (catalogue, bets, settlements) and accounts (customers, cards, tickets). Tokens of role feed name
-- which of the two they are; those made before (null) stay both.
alter table operator_token add column feed_part text check (feed_part in ('feed', 'accounts'));

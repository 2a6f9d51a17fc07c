-- A notification of type decision may be about a card of the customer: `action` says what was done with it.
alter table notification add column card_id bigint;

import { type Database, type NoParameters, reading } from '../../src/platform/database/database.ts'

type Trigger = { dropping: string; creating: string }

const triggers = {
  sqlite: reading<NoParameters, Trigger>(
    'sqliteTriggers',
    `select 'drop trigger ' || name as dropping, sql as creating from sqlite_master where type = 'trigger'`,
  ),
  postgres: reading<NoParameters, Trigger>(
    'postgresTriggers',
    `select 'drop trigger ' || tgname || ' on ' || tgrelid::regclass as dropping, pg_get_triggerdef(oid) as creating
     from pg_trigger where not tgisinternal`,
  ),
}

/** For many rows that are inserted together with their counts: triggers would count them a second time, one by one. */
export async function withoutTriggers(database: Database, fill: () => Promise<void>): Promise<void> {
  const dropped = await database.query(triggers[database.engine], {})
  for (const { dropping } of dropped) await database.script(dropping)
  await fill()
  for (const { creating } of dropped) await database.script(creating)
}

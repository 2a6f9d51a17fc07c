import { openSqlite } from '../src/platform/database/sqlite/sqlite.ts'
import { MIGRATION_TABLE, readMigrations } from '../src/platform/database/migrate.ts'
import { recordMigration } from '../src/platform/database/migration-store.ts'
import { fillFirstRelease } from '../bench/data/first-release.ts'
const db = openSqlite(process.argv[2]!)
await db.script(MIGRATION_TABLE)
for (const m of readMigrations('sqlite').filter(m=>m.number<=72)) { await db.script(m.sql); await db.run(recordMigration,{number:m.number,name:m.name,checksum:m.checksum,now:1}) }
await fillFirstRelease(db, 1000); await db.close()

import { workerData } from 'node:worker_threads'
import { openSqlite } from '../platform/database/sqlite/sqlite.ts'
import { turnTime } from '../platform/runtime/clock.ts'
import { drainInProcess } from './tip-status.ts'

const database = openSqlite(workerData.file, undefined, { severalProcesses: true })
await drainInProcess(database, turnTime).run()
await database.close()

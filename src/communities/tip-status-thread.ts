import { workerData } from 'node:worker_threads'
import { openSqlite } from '../platform/database/sqlite/sqlite.ts'
import { drainInProcess } from './tip-status.ts'

const database = openSqlite(workerData.file, undefined, { severalProcesses: true })
await drainInProcess(database).run()
await database.close()

import { workerData } from 'node:worker_threads'
import { openSqlite } from '../database/sqlite/sqlite.ts'
import { drainHere } from './tip-status.ts'

const database = openSqlite(workerData.file, undefined, { severalProcesses: true })
await drainHere(database).run()
await database.close()

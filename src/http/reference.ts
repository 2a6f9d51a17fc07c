import type { FastifyInstance } from 'fastify'
import type { Operation } from './operation.ts'

export function serveReference(_app: FastifyInstance, _operations: readonly Operation[]): void {}

// All pairs of operations that are played against each other.

import type { Collision } from './collisions/collision.ts'
import { decisionCollisions } from './collisions/decisions.ts'
import { depositCollisions } from './collisions/deposits.ts'
import { refundCollisions } from './collisions/refunds.ts'
import { sendCollisions } from './collisions/sends.ts'
import { withdrawalCollisions } from './collisions/withdrawals.ts'

export const COLLISIONS: readonly Collision[] = [
  ...withdrawalCollisions,
  ...sendCollisions,
  ...decisionCollisions,
  ...refundCollisions,
  ...depositCollisions,
]

// Who decides: three persons with four names.

import type { Actor } from '../../src/identity/operators/person.ts'

export const ACTORS: readonly Actor[] = [
  { name: 'Olga', person: 'olga' },
  { name: 'Piet', person: 'piet' },
  { name: 'a token of Olga', person: 'olga' },
  { name: 'a token', person: 'token' },
]

export const actor = (index: number): Actor => ACTORS[index % ACTORS.length] as Actor

// A setup file: passwords are hashed at the smallest cost, 0.1 ms instead of 250. test/sessions/password.test.ts has the real one.

import { passwordCost } from '../../src/identity/sessions/password.ts'

Object.assign(passwordCost, { N: 16, p: 1 })

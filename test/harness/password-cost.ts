import { onTestFinished } from 'vitest'
import { passwordCost } from '../../src/identity/sessions/password.ts'

/** Until the test is over, new passwords and names that nobody has take a tenth of a second to check (cheap-passwords.ts). */
export function raisePasswordCost(): void {
  const before = { ...passwordCost }
  passwordCost.N = 2 ** 15
  onTestFinished(() => void Object.assign(passwordCost, before))
}

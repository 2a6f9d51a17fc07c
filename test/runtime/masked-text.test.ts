import { expect, test } from 'vitest'
import { isSecretName, maskedText } from '../../src/platform/runtime/masked-text.ts'

const CARD = '4111111111111111'

test.each([
  ['nothing to hide, 1234567890123', 'nothing to hide, 1234567890123'],
  [`paid with ${CARD}`, 'paid with …'],
  ['paid with 4111-1111-1111-1111.', 'paid with ….'],
  ['5555 5555 5555 4444', '…'],
  ['737 4111 1111 1111 1111 12/30', '…/30'],
  ['1'.repeat(200), '…'],
  ['{"password": "a \\" b", "id": 7}', '{"password": "…", "id": 7}'],
  ['{"newPassword":"x","cv2":"737","amount":"5.00"}', '{"newPassword":"…","cv2":"…","amount":"5.00"}'],
  ['username=ann&password=x+y&cv2=737&amount=5.00', 'username=ann&password=…&cv2=…&amount=5.00'],
  ['<password>x</password><id>7</id>', '<password>…</password><id>7</id>'],
  ['Authorization: Bearer abc.def', 'Authorization: …'],
  ['it said Bearer abc.def and whsec_MfKQ9r8GKYqrTwjU=', 'it said … and …'],
  ['a\u0000b\r\nc\td', 'a\ufffdb\nc\td'],
])('%j becomes %j', (text, masked) => {
  expect(maskedText(text, 1_000)).toBe(masked)
})

test('it is cut to its length, between characters', () => {
  expect(maskedText('abcdef', 4)).toBe('abc…')
  expect(maskedText('ab😀cd', 4).isWellFormed()).toBe(true)
  expect(maskedText(`${'.'.repeat(90)}${CARD}`, 100)).toBe(`${'.'.repeat(90)}…`)
})

test.each([
  ['set-cookie', true],
  ['X-Auth-Token', true],
  ['who-secret', true],
  ['webhook-signature', true],
  ['content-type', false],
  ['x-request-id', false],
])('the value of %s is left out: %s', (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret)
})

import { expect, test } from 'vitest'
import { isSecretName, maskedText } from '../../src/platform/masking/masked-text.ts'

const CARD = '4111111111111111'

test.each([
  ['nothing to hide, 123456789012, on 2026-11-19T00:49:03Z', 'nothing to hide, 123456789012, on 2026-11-19T00:49:03Z'],
  ['a mistyped card 4111111111111112', 'a mistyped card …'],
  [`paid with ${CARD}`, 'paid with …'],
  ['paid with 4111-1111-1111-1111.', 'paid with ….'],
  ['5555 5555 5555 4444', '…'],
  ['737 4111 1111 1111 1111 12/30', '…'],
  ['4111 - 1111 – 1111 . 1111!', '…!'],
  ['4111%201111%2D1111%2d1111', '…'],
  ['4111%25201111%25E2%2580%25931111+1111', '…E…'],
  ['%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31', '…'],
  ['%2534%2531%2531%2531111111111111', '…'],
  ['\\u0034111\\n1111\\t1111\\u00a01111', '…'],
  ['&#52;111&nbsp;1111&#160;1111&#xa0;1111', '…'],
  ['４１１１ １１１１ １１１１ １１１１', '…'],
  ['4111\u200b1111\u20601111\u00ad1111', '…'],
  ['{"secret":{"a":["x","]}"],"b":1},"id":7}', '{"secret":…,"id":7}'],
  ['{"tokens":["x","y"],"id":7}', '{"tokens":…,"id":7}'],
  ['{"credentials":[{"user":"x"', '{"credentials":…'],
  ['{"text":"{\\"password\\":\\"x\\",\\"id\\":7}"}', '{"text":"{\\"password\\":…,\\"id\\":7}"}'],
  ['{"p\\u0061ssword":"x","id":7}', '{"password":"…","id":7}'],
  ['%70assword=x&id=7', 'password=…&id=7'],
  ['amount=5%26cv2=737', 'amount=5%26cv2=…'],
  ['amount=5;cv2=737\npwd=x', 'amount=5;cv2=…\npwd=…'],
  ["{'pwd': 'x, y', 'id': 7}", "{'pwd': …, 'id': 7}"],
  ['cookie: a=b; c=d\nnext: e', 'cookie: …\nnext: e'],
  ['<private><key>x</key></private><id>7</id>', '<private>…</private><id>7</id>'],
  ['<card cvv="123" exp="12/30">', '<card cvv="…" exp="12/30">'],
  ['token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.abcd', 'token …'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '…'],
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

const SECRET_NAMES = [
  ...[
    'set-cookie',
    'X-Auth-Token',
    'who-secret',
    'webhook-signature',
    'pwd',
    'user_pwd',
    'API Key',
    'x_api_key',
    'credential',
  ],
  ...['oauth', 'auth-code', 'privateValue', 'CVV', 'cvc2', 'Card.Number', 'ｐａｓｓｗｏｒｄ'],
]
const OTHER_NAMES = ['content-type', 'x-request-id', 'author', 'shipping', 'company', 'passenger', 'bypass-cache']

test.each([
  ...SECRET_NAMES.map((name) => ({ name, isSecret: true })),
  ...OTHER_NAMES.map((name) => ({ name, isSecret: false })),
])('the value of $name is left out: $isSecret', ({ name, isSecret }) => {
  expect(isSecretName(name)).toBe(isSecret)
})

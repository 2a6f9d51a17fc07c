/**
 * Signatures by key pairs only. With HS* anyone could sign with the published key as the shared secret, and with "none"
 * without any.
 */
export const SIGNATURE_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
]

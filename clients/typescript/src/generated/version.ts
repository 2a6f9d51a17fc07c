// Written by `npm run client` from the operations of the service. Do not edit.

export const version = '0.1.0'

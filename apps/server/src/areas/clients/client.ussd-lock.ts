import type { FieldDefinition } from '../../kernel/types.ts'

/** Whether the client under this alias is locked out of USSD. Tries count with the PIN they were made at, or with there being none. */
export const ussdLockOf = (alias: string): string =>
  `exists (select from ussd_pin_try p where p."companyId" = ${alias}."companyId" and p."clientId" = ${alias}."id" and p."lockedUntil" > now() and p."securedAt" is not distinct from ${alias}."ussdSecuredAt")`

export const isUssdLocked = { kind: 'boolean', label: 'Locked out of USSD', readOnly: true, sql: ussdLockOf('t') } satisfies FieldDefinition

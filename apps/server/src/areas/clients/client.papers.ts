import { batched } from '../../kernel/resource/read/batched.ts'
import type { FieldDefinition } from '../../kernel/types.ts'

/** Days before a paper expires on which the client's agent gets a notification. */
export const warningDays = [30, 7, 1] as const

const papers = { from: 'client_document d', alias: 'd', key: 'clientId' }
const today = `(now() at time zone coalesce((select c."timeZone" from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId"), 'Africa/Johannesburg'))::date`
const first = `(select min(d."expiresOn") from client_document d where d."companyId" = t."companyId" and d."clientId" = t."id")`

/** The day on which the first of a client's papers expires, or did. */
export const nextExpiry = {
  kind: 'date',
  label: 'First paper expires',
  readOnly: true,
  ...batched(papers, 'min(d."expiresOn")'),
} satisfies FieldDefinition

/** Whether the papers of a client hold: by the company's own day. */
export const kyc = {
  kind: 'choice',
  label: 'Papers',
  readOnly: true,
  options: [
    { value: 'EXPIRED', label: 'Expired', colour: 'red' },
    { value: 'EXPIRING', label: 'Expires soon', colour: 'orange' },
    { value: 'VALID', label: 'Valid', colour: 'green' },
  ],
  sql: `case when ${first} < ${today} then 'EXPIRED' when ${first} <= ${today} + ${warningDays[0]} then 'EXPIRING' when ${first} is not null then 'VALID' end`,
} satisfies FieldDefinition

import { tableOf } from '@outpost/platform/db/models'
import type { AnyResource, FieldDefinition } from '../types.ts'

/** Acts of the audit that make or change a record. */
export const makingActs = ({ one }: Pick<AnyResource, 'one'>): string[] => ['create', 'update', 'restore'].map((act) => `${one}.${act}`)

/** Field of a resource under four eyes: whether the caller made or last changed the record, so that another person has to decide. */
export function ownWork({ model, one }: Pick<AnyResource, 'model' | 'one'>): FieldDefinition & { sql: string } {
  const entries = `audit_log g where g."companyId" = t."companyId" and g."objectType" = '${one}' and g."objectId" = t."id"::text and g."action" = any('{${makingActs({ one }).join(',')}}')`
  const founder = Object.hasOwn(tableOf(model).columns, 'createdByUserId') ? ` or t."createdByUserId" = ctx.actor()` : ''
  return {
    kind: 'boolean',
    label: 'Own work',
    readOnly: true,
    sql: `(select coalesce(bool_or(ctx.actor() in (m."userId", m."realUserId")), false) from (
      (select g."userId", g."realUserId" from ${entries} order by g."seq" limit 1)
      union all (select g."userId", g."realUserId" from ${entries} order by g."seq" desc limit 1)) m)${founder}`,
  }
}

import type { GivenValue } from '@outpost/contract/sync/kept-kinds'
import type { AnyResource, Ctx } from '../types.ts'
import { columnOf, hasColumn, perResource } from './define.ts'
import type { Columns } from './write.ts'
import type { Writing } from './writing.ts'

/** The row of a new record: filed under the caller's tenant unless its values say another. */
export function newRow(ctx: Ctx, resource: AnyResource, { id, values, seq }: Writing): Columns {
  return { ...(resource.isScoped ? { tenantId: ctx.tenant.id } : {}), ...values, companyId: ctx.company.id, id, ...numbered(resource, seq) }
}

/** The row of a changed, removed or restored record, with its next version. */
export function changedRow(resource: AnyResource, { change, id, before, values, seq }: Writing): Columns & { id: string } {
  const mark = change.kind === 'remove' ? { deletedAt: new Date() } : change.kind === 'restore' ? { deletedAt: null } : {}
  const version = before?.['version']
  return {
    ...values,
    ...mark,
    id,
    ...(typeof version === 'bigint' ? { version: version + 1n } : {}),
    ...(hasColumn(resource, 'dateModified') ? { dateModified: new Date() } : {}),
    ...numbered(resource, seq),
  }
}

const numbered = (resource: AnyResource, seq: number | undefined): Columns =>
  seq !== undefined && hasColumn(resource, 'syncSeq') ? { syncSeq: seq } : {}

/** What a new record gets by itself, by its fields' `given`. What a person may enter and was left empty is for `prepare`, what is computed needs nothing. */
export function givenValues(ctx: Ctx, resource: AnyResource): Record<string, unknown> {
  return Object.fromEntries(givenColumns(resource).map(([key, given]) => [key, valueOf(ctx, given)]))
}

const givenColumns = perResource((resource) =>
  Object.entries(resource.fields).flatMap(([key, { given, readOnly }]): [string, GivenValue][] =>
    given === undefined || !readOnly || !columnOf(resource, key) ? [] : [[key, given]],
  ),
)

function valueOf({ user }: Ctx, given: GivenValue): unknown {
  if (typeof given === 'string') return given
  if (given.of === 'now') return new Date()
  if (given.of === 'userId') return user.id
  if (given.of === 'userName') return `${user.firstName} ${user.lastName}`
  throw new Error(`A place is not given here: ${given.of}`)
}

import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { dayText } from '../../kernel/days.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { reaches } from '../../kernel/session/reach.ts'
import { mayRead } from '../../kernel/session/readers.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { fillLines, linesOfGroup, type GivenLine, type OfficeLine } from './sheet.lines.ts'

type Row = ModelRow<'collectionSheet'>
/** A sheet as it is written: its row, and the lines that a body gives. */
type SheetInput = Row & { lines: GivenLine[] }
type SheetRow = Row & { lines: OfficeLine[] }

/**
 * At every door a sheet begins with its group's members, loans and branch; one that was posted or cancelled stays as it is. In a draft, who is on
 * it and what is expected is not changed by hand.
 */
export async function prepareSheet(ctx: Ctx, { kind, input, before, id, isSync }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  if (kind === 'create') return begun(ctx, { ...(input as SheetInput), id }, isSync)
  const { lines, ...given } = input as Partial<SheetInput>
  if (before && before.status !== 'Draft' && (lines || (given.note !== undefined && (given.note ?? null) !== before.note)))
    fail('CONFLICT', { message: `The sheet is ${before.status}: it stays as it is.` })
  if (!lines || !before) return {}
  const filled: Partial<SheetRow> = { lines: fillLines((before as SheetRow).lines, { given: lines, isSync, isNew: false }) }
  return filled
}

/** The sheet of a meeting: a line for each member and each loan that runs. A meeting has one. */
async function begun(ctx: Ctx, { groupId, meetingOn, lines }: SheetInput, isSync: boolean): Promise<Partial<SheetRow>> {
  const group = await getRecord(ctx, resourceNamed('clientGroup') ?? fail('NOT_FOUND'), groupId).catch(() =>
    fail('INVALID', { fields: [{ field: 'groupId', message: 'does not exist' }] }),
  )
  await refuseClosed(ctx, group.Id)
  const day = meetingOn instanceof Date ? dayText(meetingOn) : String(meetingOn)
  await refuseSecond(ctx, group.Id, day)
  const office = await linesOfGroup(ctx, group.Id, day)
  if (office.length === 0) fail('CONFLICT', { message: 'The group has no members yet.' })
  return {
    createdByUserId: ctx.user.id,
    tenantId: String(group['tenantId']),
    lines: fillLines(office, { given: lines ?? [], isSync, isNew: true }),
  }
}

/** A group that was closed meets no more. Sheets that it has already are filled in and posted all the same: that money was collected. */
async function refuseClosed(ctx: Ctx, groupId: string): Promise<void> {
  // Whoever closes it at this moment waits, or is waited for.
  const { status } = await ctx.sql.one<{ status: string }>(
    sql`select "status" from client_group where "companyId" = ${ctx.company.id}::uuid and "id" = ${groupId}::uuid for share`,
  )
  if (status === 'Closed') fail('INVALID', { fields: [{ field: 'groupId', message: 'is closed: no collection sheet is begun for it' }] })
}

/** Who may see the sheet that there is hears which it is: what they typed on a device can be added to it. */
async function refuseSecond(ctx: Ctx, groupId: string, day: string): Promise<void> {
  const twin = await ctx.sql.maybe<{ id: string; tenantId: string }>(sql`
    select "id", "tenantId" from collection_sheet
    where "companyId" = ${ctx.company.id}::uuid and "groupId" = ${groupId}::uuid and "meetingOn" = ${day}::date and "status" <> 'Cancelled' and "deletedAt" is null`)
  if (!twin) return
  const sheets = resourceNamed('collectionSheet')
  const isSeen = sheets !== undefined && reaches(ctx, twin.tenantId) && mayRead(ctx, sheets)
  fail('CONFLICT', {
    message: 'This meeting has a collection sheet already.',
    ...(isSeen ? { details: { existingId: twin.id } } : {}),
  })
}

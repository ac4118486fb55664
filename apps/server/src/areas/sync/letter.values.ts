import { Failure } from '@outpost/contract/errors'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { sql } from '@outpost/platform/db/sql'
import { idsIn, mergeSet } from '@outpost/rules/sync/merge'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Catalogue } from '../../kernel/screens/catalogue.ts'
import { maySync, type SyncEntities, type SyncEntity } from '../../kernel/sync/entities.ts'
import { readChange } from '../../kernel/sync/read-change.ts'
import type { Answer, AnyResource, Ctx } from '../../kernel/types.ts'
import { correctable } from './correctable.ts'
import { fieldViews, withNames, type Named } from './shown.ts'

interface LetterParts {
  letter: AnyResource
  entities: SyncEntities
  catalogue: () => Catalogue
}

/** A letter of a kind that the caller reads, with what the record holds now; undefined where it cannot be read, or not by them. */
interface Opened {
  change: ChangeRecord
  entity: SyncEntity
  now: Record<string, unknown>
}

async function opened(ctx: Ctx, { letter, entities }: LetterParts, id: string): Promise<Opened | undefined> {
  await getRecord(ctx, letter, id)
  const { envelope } = await ctx.sql.one<{ envelope: unknown }>(
    sql`select "envelope" from sync_dead_letter where "companyId" = ${ctx.company.id} and "id" = ${id}`,
  )
  const change = readChange(envelope)
  const entity = 'problem' in change ? undefined : entities.get(change.entityType)
  if ('problem' in change || !entity || !maySync(ctx, entity, 'read')) return undefined
  return { change, entity, now: await recordNow(ctx, entity, change.entityId) }
}

/** What the record holds; nothing where it is gone, out of reach, or was never made. */
export async function recordNow(ctx: Ctx, { resource }: SyncEntity, id: string): Promise<Record<string, unknown>> {
  try {
    return await getRecord(ctx, resource, id)
  } catch (error) {
    if (error instanceof Failure) return {}
    throw error
  }
}

/** The fields that were sent, in the order of their kind, with what they were before; additions to a list and removals from it as the list they make. */
function sentFields({ change: { snapshot, patch }, entity, now }: Opened): { field: string; before: unknown; sent: unknown }[] {
  const order = Object.keys(entity.resource.fields)
  const fields = snapshot
    ? Object.entries(snapshot).map(([field, sent]) => ({ field, before: null, sent }))
    : Object.entries(patch).map(([field, value]) =>
        Array.isArray(value)
          ? { field, before: value[0], sent: value[1] }
          : { field, before: null, sent: mergeSet(idsIn(now[field]), value) },
      )
  return fields.filter(({ field }) => field !== 'Id').toSorted((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
}

/** GET /api/sync/dead-letters/:id/values: none of a kind that the caller may not read. */
export const letterValues =
  (parts: LetterParts) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const letter = await opened(ctx, parts, id)
    if (!letter) return { data: { values: [] } }
    const { fields } = letter.entity.resource
    const sent = sentFields(letter)
    const known = Object.fromEntries(sent.flatMap(({ field }) => (fields[field] ? [[field, fields[field]]] : [])))
    const views = new Map((await fieldViews(ctx, parts.catalogue(), known, false)).map((view) => [view.key, view]))
    const named = await withNames(
      ctx,
      sent.map(({ field, before, sent: value }): Named => {
        const own = fields[field]
        // A call has no field: what it was given is said in words.
        if (!own) return { fields: {}, values: { before: inWords(before), now: null, sent: inWords(value) } }
        return { fields: { before: own, now: own, sent: own }, values: { before, now: letter.now[field] ?? null, sent: value } }
      }),
    )
    const values = sent.map(({ field }, place) => {
      const view = views.get(field)
      const label = view?.label ?? letter.entity.commands.get(field)?.label ?? field
      return { Id: field, label, ...named[place], ...(view ? { valueField: view } : {}) }
    })
    return { data: { values } }
  }

/** What a call was given, as words: it has no fields of its own. */
function inWords(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  if (typeof value !== 'object') return String(value as string | number | boolean)
  return Object.entries(value)
    .map(([key, part]) => `${key}: ${inWords(part) ?? ''}`)
    .join('; ')
}

/** GET /api/sync/dead-letters/:id/form: what can be corrected of it, with what was sent. */
export const letterForm =
  (parts: LetterParts) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    const letter = await opened(ctx, parts, id)
    const fields = letter ? correctable(letter.entity, letter.change) : {}
    if (!letter || Object.keys(fields).length === 0) return { data: { fields: [], record: {} } }
    const sent = Object.fromEntries(sentFields(letter).map(({ field, sent: value }) => [field, value]))
    const { tenantId, snapshot } = letter.change
    const [record] = await withNames(ctx, [{ fields, values: { ...letter.now, ...sent, ...(snapshot ? { tenantId } : {}) } }])
    return { data: { fields: await fieldViews(ctx, parts.catalogue(), fields, true), record } }
  }

import type { FieldView } from '@outpost/contract/fields'
import type { ActionView, PanelView } from '@outpost/contract/views'
import { callOf, openOf, routeOf, screenOf, type Catalogue } from '../catalogue.ts'
import type { RelatedPanel } from '../panels.ts'
import { allDays } from '../tiles.ts'
import type { ActionDefinition, AnyResource, Ctx, FieldDefinition, Operation, PanelDefinition } from '../../types.ts'
import { limitsOf } from '../../uploads/form.ts'
import { storedExtensions } from '@outpost/contract/views/file-types'
import { fieldOf } from '../../resource/define.ts'
import { inSentence } from '../../in-sentence.ts'

interface Means {
  describeActions: (ctx: Ctx, catalogue: Catalogue, actions?: readonly ActionDefinition[]) => ActionView[]
  describeField: (ctx: Ctx, catalogue: Catalogue, key: string, field: FieldDefinition) => FieldView
}

const [shownColumns, shownRows] = [6, 50]

/** The lists on a record's detail, its own before those of other areas; those whose call is closed to the caller are left out. */
export function describePanels(
  ctx: Ctx,
  catalogue: Catalogue,
  { resource, own }: { resource: AnyResource; own: readonly PanelDefinition[] },
  means: Means,
): PanelView[] {
  const others = catalogue.panels.get(resource.one) ?? []
  const describe = (panel: PanelDefinition | RelatedPanel) =>
    'resource' in panel ? describeRelated(ctx, catalogue, panel, means) : describePanel(ctx, catalogue, panel, means)
  return [...own.flatMap(describe), ...describeFiles(ctx, catalogue, resource, means), ...others.flatMap(describe)]
}

const fileFields: Readonly<Record<string, FieldDefinition>> = {
  name: { kind: 'text', label: 'File' },
  kilobytes: { kind: 'number', label: 'KB' },
  addedBy: { kind: 'text', label: 'Added by' },
  dateCreated: { kind: 'dateTime', label: 'Added' },
}

/** The files that the record keeps, with their upload and their removal for who may do it. */
function describeFiles(ctx: Ctx, catalogue: Catalogue, resource: AnyResource, { describeField }: Means): PanelView[] {
  const callOfKind = (kind: Operation['kind']) => callOf(ctx, catalogue, routeOf(catalogue, resource, kind))
  const [source, download, attach, detach] = [callOfKind('files'), callOfKind('download'), callOfKind('attach'), callOfKind('detach')]
  if (!source || !download) return []
  const { files: many, maxBytes } = limitsOf(true)
  const removal: ActionView = {
    key: 'detach',
    label: 'Remove',
    scope: 'row',
    call: detach ?? source,
    danger: true,
    confirm: { title: 'Remove this file?', body: 'Its content is gone for good. The history keeps its name.' },
  }
  return [
    {
      key: 'files',
      title: 'Files',
      source,
      value: 'files',
      download,
      actions: detach ? [removal] : [],
      fields: Object.entries(fileFields).map(([key, field]) => describeField(ctx, catalogue, key, field)),
      ...(attach ? { upload: { call: attach, many, maxBytes, types: [...storedExtensions] } } : {}),
      empty: { title: 'No files yet', ...(attach ? { body: 'Add documents or pictures that belong to this record.' } : {}) },
    },
  ]
}

function describePanel(
  ctx: Ctx,
  catalogue: Catalogue,
  { key, title, route, value, note, fields, open, ties, actions, empty }: PanelDefinition,
  { describeActions, describeField }: Means,
): PanelView[] {
  const source = callOf(ctx, catalogue, route)
  if (!source) return []
  const opened = openOf(ctx, catalogue, open)
  return [
    {
      key,
      title,
      source,
      value,
      empty,
      actions: describeActions(ctx, catalogue, actions),
      fields: Object.entries(fields).map(([name, field]) => describeField(ctx, catalogue, name, field)),
      ...(note === undefined ? {} : { note }),
      ...(ties === undefined ? {} : { ties }),
      ...(opened === undefined ? {} : { open: opened }),
    },
  ]
}

/** The newest records that name this one, with how many there are, where all of them are, and the form of a new one. */
function describeRelated(ctx: Ctx, catalogue: Catalogue, { resource, field, title }: RelatedPanel, { describeField }: Means): PanelView[] {
  const source = callOf(ctx, catalogue, routeOf(catalogue, resource, 'list'))
  if (!source) return []
  const op = fieldOf(resource, field).kind === 'multiReference' ? 'contains' : 'eq'
  const filter = `filter=${JSON.stringify([{ field, op, value: ':id' }])}`
  const { dateType, from, to } = allDays(ctx, resource)
  const days = dateType === undefined ? '' : `dateType=${dateType}&`
  const screens = {
    open: screenOf(ctx, catalogue, resource, 'view') ?? screenOf(ctx, catalogue, resource, 'edit'),
    all: screenOf(ctx, catalogue, resource, 'list'),
    create: screenOf(ctx, catalogue, resource, 'create'),
  }
  return [
    {
      key: resource.many,
      title,
      source: { ...source, path: `${source.path}?size=${shownRows}&${days && `${days}startDate=${from}&endDate=${to}&`}${filter}` },
      value: resource.many,
      actions: [],
      fields: resource.list.columns
        .filter((key) => key !== field)
        .slice(0, shownColumns)
        .map((key) => describeField(ctx, catalogue, key, fieldOf(resource, key))),
      empty: { title: `No ${inSentence(resource.labelMany)} yet` },
      ...(screens.open ? { open: screens.open } : {}),
      ...(screens.all ? { all: `${screens.all}?${days && `${days}from=${from}&to=${to}&`}${filter}` } : {}),
      ...(screens.create ? { create: { label: `New ${inSentence(resource.label)}`, screen: `${screens.create}?${field}=:id` } } : {}),
    },
  ]
}

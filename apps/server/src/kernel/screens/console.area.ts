import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ConsoleLayout, ScreenEntry, ScreenShape, TileSource } from '@outpost/contract/console'
import { fail } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import type { DetailView, FormView, ListView, View } from '@outpost/contract/views'
import { sql } from '@outpost/platform/db/sql'
import { anySession, defineArea, route } from '../area.ts'
import { toJson } from '../reply.ts'
import { fillChoices } from '../relations/choices.ts'
import type { ReportReference } from '../reports/definition.ts'
import { describeBoard } from './describe/board.ts'
import { describeField } from './describe/fields.ts'
import { describeForm } from './describe/form.ts'
import { describeDashboard, describeDetail, describeList } from './describe/describe.ts'
import { noInput, query } from '../resource/operations.ts'
import type { SessionPart } from '../session/layout.ts'
import { isPermitted } from '../session/permission.ts'
import { commonStates } from '../workflow/states.ts'
import type { Answer, Area, Calls, Ctx, Refine, RequestInfo, Screen } from '../types.ts'
import { withOwnColumns } from '../workflow/describe.ts'
import { layoutAnswer, viewAnswer } from './console.answers.ts'
import { callsOf, catalogueOf, type Catalogue } from './catalogue.ts'
import { menuOf } from './menu.ts'
import { assertNames } from './names.ts'
import { screenId } from './screen.ts'

export interface ConsoleOptions {
  areas: readonly Area[]
  /** Some areas of the program only, as in tests of one of them. */
  isPart?: boolean
  /** The session's part of the layout: kernel/session/layout.ts. */
  sessionPart: (ctx: Ctx) => Promise<SessionPart>
  version: string
  build: string
  /** Where maps find their tiles. */
  tiles?: TileSource | undefined
  /** A site that a console asks whether the internet is there when the server does not answer. */
  connectivityUrl?: string | undefined
}

/** The two calls by which the console learns what it is: its layout, and one view at a time. Throws when a view names what there is not. */
export function consoleArea(options: ConsoleOptions): Area {
  const catalogue = catalogueOf(options.areas)
  assertNames(options.areas, catalogue, options)
  const screenInput = z.strictObject({ id: z.string().max(200) })
  return defineArea({
    name: 'console',
    routes: [
      route('console.layout', 'GET', '/api/console', anySession, query(noInput, (ctx) => layout(ctx, catalogue, options), layoutAnswer), { own: true, beforePasswordChange: true, summary: 'User, menu, screens and labels of the caller' }),
      route('console.screen', 'GET', '/api/console/screens/:id', anySession, query(screenInput, (ctx, { id }, facts) => screenAnswer(ctx, catalogue, id, facts), viewAnswer), { own: true, summary: 'One view, cut to the caller' }),
    ],
  })
}

async function layout(ctx: Ctx, { screens, headings }: Catalogue, { sessionPart, version, build, tiles, connectivityUrl }: ConsoleOptions): Promise<Answer> {
  const all = [...screens.values()]
  const [user, language] = await Promise.all([sessionPart(ctx), labels(ctx)])
  const data: ConsoleLayout = {
    ...user, ...(tiles ? { company: { ...user.company, tiles } } : {}), ...(connectivityUrl ? { connectivityUrl } : {}), language, version, build,
    menu: menuOf(all.filter((one) => isPermitted(ctx, one.access)), headings),
    screens: all.map((one) => toEntry(ctx, one)),
    serverNow: new Date().toISOString(),
  }
  return { data: { ...data } }
}

function toEntry(ctx: Ctx, { path, title, layout, offline, access, view, shape: own, createOrder, takesId }: Screen): ScreenEntry {
  const kind = view.kind === 'built' ? 'custom' : view.kind
  const shape = own ?? shapeOf(view)
  return { id: screenId(path), path, title, layout, offline, permitted: isPermitted(ctx, access), kind, ...(shape ? { shape } : {}), ...(createOrder === undefined ? {} : { createOrder }), ...(takesId ? { takesId } : {}) }
}

/** What the use of a hand-made screen says of its looks. */
function shapeOf(view: Screen['view']): ScreenShape | undefined {
  if (view.kind !== 'custom') return undefined
  return view.use === 'view' ? 'detail' : view.use === undefined ? 'page' : 'form'
}

/** The company's own words for labels in every language; its rows only, by row-level security. English comes last: it is what a console takes that knows no other. */
function labels(ctx: Ctx): Promise<ConsoleLayout['language']> {
  return ctx.sql.query<{ label: string, value: string, language: string }>(sql`select "label", "value", "language" from language_label where "companyId" = ${ctx.company.id}::uuid order by "language" = 'en', "language", "label"`)
}

async function screenAnswer(ctx: Ctx, catalogue: Catalogue, id: string, facts: RequestInfo): Promise<Answer> {
  const screen = catalogue.screens.get(id) ?? fail('NOT_FOUND')
  if (!isPermitted(ctx, screen.access)) fail('FORBIDDEN')
  const view = await viewOf(ctx, catalogue, screen)
  const etag = `"${createHash('sha256').update(toJson(view)).digest('base64url').slice(0, 27)}"`
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'authorization, x-tenant-id' }
  const isKnown = facts.headers['if-none-match']?.split(',').some((given) => given.trim().replace(/^W\//, '') === etag)
  return isKnown ? { data: {}, status: 304, headers } : { data: { view }, headers }
}

/** The view of a screen, cut to the caller. */
export async function viewOf(ctx: Ctx, catalogue: Catalogue, screen: Screen): Promise<View> {
  const { view } = screen
  const calls = callsOf(ctx, catalogue, 'calls' in view ? view.calls : undefined)
  switch (view.kind) {
    case 'list': case 'form': case 'detail': {
      const states = await commonStates(ctx, view.resource)
      const fill = <Described extends ListView | FormView | DetailView>(described: Described) => fillChoices(ctx, view.resource, described, states)
      if (view.kind === 'list') return refined(ctx, await fill(describeList(ctx, catalogue, screen, await withBoards(ctx, view), states)), view.refine, calls)
      if (view.kind === 'form') return refined(ctx, await fill(describeForm(ctx, catalogue, screen, view, states)), view.refine, calls)
      return refined(ctx, await fill(describeDetail(ctx, catalogue, screen, view, states)), view.refine, calls)
    }
    case 'dashboard': return describeDashboard(ctx, catalogue, view.view)
    case 'report': return { ...view.view, parameters: view.view.parameters.flatMap((field) => describeParameter(ctx, catalogue, field)) }
    case 'custom': {
      const data = view.board ? await describeBoard(ctx, catalogue, view.board) : await view.data?.(ctx, calls)
      return { kind: 'custom', title: view.title, screen: view.screen, data: { ...data } }
    }
    case 'built': return view.build(ctx, calls)
  }
}

/** A parameter that names a record is asked for where the caller may list those. */
function describeParameter(ctx: Ctx, catalogue: Catalogue, field: FieldView | ReportReference): FieldView[] {
  if (!('to' in field)) return [field]
  const { key, ...definition } = field
  const described = describeField(ctx, catalogue, key, definition)
  return described.reference ? [described] : []
}

async function withBoards(ctx: Ctx, view: Extract<Screen['view'], { kind: 'list' }>): Promise<typeof view> {
  const { overrides } = view
  if (!overrides?.layouts) return view
  const { layouts: declared, ...rest } = overrides
  const layouts = await withOwnColumns(ctx, declared)
  return { ...view, overrides: layouts.length === 0 ? rest : { ...rest, layouts } }
}

async function refined<Described extends View>(ctx: Ctx, view: Described, refine: Refine<Described> | undefined, calls: Calls): Promise<Described> {
  return refine ? refine(ctx, view, calls) : view
}

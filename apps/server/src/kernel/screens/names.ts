import type { ActionDefinition, AnyResource, Area, PanelDefinition, Screen } from '../types.ts'
import { workflowsOf } from '../workflow/states.ts'
import { screenAt, type Catalogue } from './catalogue.ts'

/** Where a name is used, and the name of a route or the path of a screen. */
type Named = readonly [place: string, name: string | undefined]

/**
 * Throws, with each name and where it is used, when a screen, action, tab or board names a route or screen that there is not. `isPart`: only some areas are
 * mounted, and what leads to a screen of another one is left out of the views.
 */
export function assertNames(areas: readonly Area[], catalogue: Catalogue, { isPart = false }: { isPart?: boolean | undefined } = {}): void {
  const { routes, screens, panels, actions, tiles, widgets } = catalogue
  const resources = areas.flatMap((area) => area.resources)
  const tabs = [...panels].flatMap(([one, hung]) =>
    hung.flatMap((tab) => ('route' in tab ? [{ place: `tab ${tab.key} of ${one}`, tab }] : [])),
  )
  const shown = [...screens.values()]
  const routeNames: Named[] = [
    ...resources.flatMap(ofResource),
    ...tabs.flatMap(({ place, tab }) => ofPanel(place, tab)),
    ...[...actions].flatMap(([one, buttons]) => ofActions(one, buttons)),
    ...shown.flatMap(ofScreen),
    ...widgets.map(({ id, source }): Named => [`widget ${id}`, source]),
  ]
  const opened: Named[] = [
    ...resources.flatMap(({ one, actions = [] }) => opens(`action of ${one}`, actions)),
    ...resources.flatMap(({ one, fields }) => Object.entries(fields).map(([key, field]): Named => [`${one}.${key}`, field.opens])),
    ...tabs.flatMap(({ place, tab }) => opensOfPanel(place, tab)),
    ...[...actions].flatMap(([one, buttons]) => opens(`action of ${one}`, buttons)),
    ...shown.flatMap(opensOfScreen),
    ...tiles.map(({ id, screen }): Named => [`tile ${id}`, screen]),
    ...widgets.map(({ id, open }): Named => [`widget ${id}`, open]),
  ]
  const boards = new Set(shown.flatMap(({ view }) => (view.kind === 'custom' && view.board ? [view.board.name] : [])))
  const wrong = [
    ...routeNames
      .filter(([, name]) => name !== undefined && !routes.has(name))
      .map(([place, name]) => `${place} names an unknown route ${name}`),
    ...(isPart ? [] : opened)
      .filter(([, path]) => path !== undefined && !screenAt(catalogue, path))
      .map(([place, path]) => `${place} opens an unknown screen ${path}`),
    ...(isPart ? [] : [...tiles, ...widgets]).flatMap(({ id, on }) =>
      Object.keys(on)
        .filter((board) => !boards.has(board))
        .map((board) => `widget ${id} is for an unknown board ${board}`),
    ),
  ]
  if (wrong.length > 0) throw new Error(`Outpost does not start:\n  ${wrong.join('\n  ')}`)
}

function ofResource(resource: AnyResource): Named[] {
  const { one, actions = [] } = resource
  const named = workflowsOf(resource).flatMap(({ route, many, undo, moves }) => [route, many, undo, ...moves.map((move) => move.route)])
  return [...ofActions(one, actions), ...named.map((name) => [`the workflow of ${one}`, name] as const)]
}

function ofActions(of: string, actions: readonly ActionDefinition[]): Named[] {
  return actions.flatMap(
    ({ route, undo, assign }) =>
      [
        [`action of ${of}`, route],
        [`undo of ${of}`, undo],
        [`candidates of ${of}`, assign?.candidates],
        [`undo of ${of}`, assign?.undo],
      ] satisfies Named[],
  )
}

const ofPanel = (place: string, { route, actions = [] }: PanelDefinition): Named[] => [[place, route], ...ofActions(place, actions)]

function ofScreen({ path, view }: Screen): Named[] {
  const place = `screen ${path}`
  const given: Named[] = 'calls' in view && view.calls ? Object.values(view.calls).map((name) => [place, name] as const) : []
  switch (view.kind) {
    case 'list':
      return [
        [place, view.source],
        ...given,
        ...ofActions(place, view.overrides?.actions ?? []),
        ...(view.overrides?.layouts ?? []).flatMap((layout): Named[] =>
          layout.kind === 'kanban'
            ? [
                [`a board of ${place}`, layout.move],
                [`a board of ${place}`, layout.summary],
              ]
            : [],
        ),
      ]
    case 'form':
      return [
        [place, view.load],
        [place, view.submit],
        [`the check of ${place}`, view.overrides?.check?.route],
        ...given,
        ...ofActions(place, view.overrides?.actions ?? []),
      ]
    case 'detail':
      return [
        [place, view.load],
        ...given,
        ...ofActions(place, view.overrides?.actions ?? []),
        ...(view.panels ?? []).flatMap((panel) => ofPanel(`tab ${panel.key} of ${place}`, panel)),
      ]
    case 'custom':
      return [...given, [place, view.board?.figures]]
    case 'dashboard':
      return view.view.widgets.map(({ id, source }) => [`widget ${id} of ${place}`, source] as const)
    default:
      return given
  }
}

const opens = (place: string, actions: readonly ActionDefinition[]): Named[] =>
  actions.map(({ open, access }) => [place, access ? undefined : open] as const)
const opensOfPanel = (place: string, { open, actions = [] }: PanelDefinition): Named[] => [[place, open], ...opens(place, actions)]

function opensOfScreen({ path, view }: Screen): Named[] {
  const place = `screen ${path}`
  switch (view.kind) {
    case 'list':
      return opens(place, view.overrides?.actions ?? [])
    case 'form':
      return [[`the check of ${place}`, view.overrides?.check?.open], ...opens(place, view.overrides?.actions ?? [])]
    case 'detail':
      return [
        [place, view.edit],
        ...opens(place, view.overrides?.actions ?? []),
        ...(view.panels ?? []).flatMap((panel) => opensOfPanel(`tab ${panel.key} of ${place}`, panel)),
      ]
    default:
      return []
  }
}

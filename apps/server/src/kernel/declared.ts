import { errorTable } from '@outpost/contract/errors'
import type { Metric } from './metrics.ts'
import type { Area } from './types.ts'

interface Named {
  name: string
}
type Read<Item> = (area: Area) => readonly Item[]

/** What the areas declare of a kind, by name. Stops the start when two say the same name. */
export function declared<Item extends Named>(areas: readonly Area[], what: string, read: Read<Item>): ReadonlyMap<string, Item> {
  const [first] = declaredTwice(areas, what, read)
  if (first) throw new Error(first)
  return new Map(areas.flatMap((area) => read(area).map((item) => [item.name, item])))
}

/** What the areas let targets count, by name and in its order. */
export function metricsOf(areas: readonly Area[]): ReadonlyMap<string, Metric> {
  const found = [...declared(areas, 'metric', ({ metrics }) => metrics)]
  return new Map(found.toSorted(([, a], [, b]) => a.order - b.order))
}

/** A sentence for each name that is said twice, with both who say it. */
function declaredTwice(areas: readonly Area[], what: string, read: Read<Named>): string[] {
  const said = areas.flatMap((area) => read(area).map(({ name }) => ({ name, by: area.name })))
  return [...Map.groupBy(said, ({ name }) => name)].flatMap(([name, [first, second]]) =>
    first && second ? [`The ${what} ${name} is declared twice: by ${first.by} and by ${second.by}.`] : [],
  )
}

/** What is wrong with what the areas declare beside routes and resources. */
export function wrongDeclarations(areas: readonly Area[]): string[] {
  return [
    ...declaredTwice(areas, 'report', ({ reports }) => reports),
    ...declaredTwice(areas, 'kind of notification', ({ notifications }) => notifications),
    ...declaredTwice(areas, 'place of the palette', ({ palette }) => palette.map(({ resource }) => ({ name: resource.one }))),
    ...declaredTwice(areas, 'metric', ({ metrics }) => metrics),
    ...declaredTwice(areas, 'widget', ({ tiles, widgets }) => [...tiles, ...widgets].map(({ id: name }) => ({ name }))),
    ...declaredTwice(areas, 'setting', ({ settings }) => settings),
    ...declaredTwice(areas, 'error', ({ errors }) => errors),
    ...areas.flatMap(({ name: by, errors }) =>
      errors
        .filter(({ name }) => Object.hasOwn(errorTable, name))
        .map(({ name }) => `The error ${name} is declared twice: by the kernel and by ${by}.`),
    ),
  ]
}

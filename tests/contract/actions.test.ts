import { beforeAll, expect, test } from 'vitest'
import { declaredAreas } from '../../scripts/areas.ts'
import type { ActionDefinition, Area } from '../../apps/server/src/kernel/types.ts'

let areas: readonly Area[]
beforeAll(async () => {
  areas = await declaredAreas()
})

/** Actions of records, and those that screens alone have. */
function actionsOf({ resources, screens }: Area): readonly ActionDefinition[] {
  const views = screens.flatMap(({ view }) => ('overrides' in view && view.overrides ? [view.overrides as object] : []))
  return [
    ...resources.flatMap(({ actions = [] }) => actions),
    ...views.flatMap((overrides) => ('actions' in overrides ? (overrides.actions as ActionDefinition[]) : [])),
  ]
}

test('what a dialog leaves empty goes as null, and every call of an action takes it', () => {
  const routes = new Map(areas.flatMap((area) => area.routes).map((route) => [route.name, route]))
  const asked = areas
    .flatMap(actionsOf)
    .flatMap(({ route, form = {} }) =>
      Object.entries(form).map(([key, field]) => ({ route: routes.get(route ?? ''), key, isRequired: field.required === true })),
    )
  expect(asked.length).toBeGreaterThan(40)
  const refused = asked.flatMap(({ route, key, isRequired }) => {
    const result = isRequired ? undefined : route?.operation.input.safeParse({ [key]: null })
    return result?.error?.issues.some(({ path }) => path[0] === key) ? [`${route?.name}: ${key}`] : []
  })
  expect(refused).toEqual([])
})

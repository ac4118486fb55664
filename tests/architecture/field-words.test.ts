import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import { tours } from '../../apps/console/src/shell/tours/tours.ts'
import { fleetReportTexts } from '../../apps/server/src/areas/geo/fleet-words.ts'
import { columnsFromGeo } from '../../apps/server/src/kernel/reports/writer/geo-columns.ts'
import { reports as geoReports } from '../../apps/geo/src/reports/reports.ts'
import { commandInputs, commandTypes } from '../../packages/contract/src/geo/commands.ts'
import { alarms, eventTypes } from '../../packages/contract/src/geo/events.ts'
import { penalties } from '../../packages/rules/src/fleet/behaviour.ts'
import { eventValues } from '../../packages/rules/src/fleet/event-values.ts'
import { vehicleStates } from '../../packages/rules/src/fleet/states.ts'

const areas = createAreas({ mail: {}, files: {}, env: { GEO_URL: 'http://127.0.0.1:9' } } as never)
/** What devices keep, so people in the field fill it in and read it. */
const resources = areas.flatMap((area) => area.resources).filter(({ offline }) => offline !== undefined)
const spoken = new Set(['label', 'help', 'title', 'confirm', 'empty', 'question', 'hint'])

/** Every word of a declaration that people read; names of fields (`label: 'number'` of a line) are none. */
function wordsOf(part: unknown, found = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (typeof part !== 'object' || part === null || seen.has(part)) return found
  seen.add(part)
  for (const [key, value] of Object.entries(part)) {
    // A record that is referred to is another one; what is only decided at the server is not read.
    if (['to', 'through', 'offline', 'visible', 'prepare'].includes(key)) continue
    if (typeof value !== 'string') wordsOf(value, found, seen)
    else if (spoken.has(key) && /\p{L}{2}/u.test(value) && !/^[a-z]+$/.test(value)) found.add(value)
  }
  return found
}

const ofResources = resources.flatMap(({ fields, form, list, workflow, actions }) => [...wordsOf([fields, form, list, workflow, actions])])
const ofScreens = areas.flatMap(({ screens }) => screens.filter(({ offline }) => offline).map(({ title }) => title))
const ofTours = tours.flatMap(({ title, from, steps }) => [
  title,
  ...(from ? [from.hint] : []),
  ...steps.flatMap((step) => [step.title, step.text]),
])

/** What a dispatcher reads: screens, forms and reports of the fleet, with all that trackers, rules and commands are called. */
const fleet = areas.filter(({ name }) => name === 'geo' || name === 'locations')
const ofFleet = [
  ...fleet
    .flatMap(({ resources }) => resources)
    .flatMap(({ fields, form, list, workflow, actions }) => [...wordsOf([fields, form, list, workflow, actions])]),
  ...fleet.flatMap(({ screens, menu, widgets, notifications, panels }) => [
    ...wordsOf([screens.map(({ title, menu: entry }) => ({ title, entry })), menu, widgets, notifications, panels]),
  ]),
  ...fleet.flatMap(({ reports }) => reports ?? []).flatMap(({ title, description, fields }) => [title, description, ...wordsOf(fields)]),
  ...Object.values(fleetReportTexts).map(({ definition }) => definition),
  ...Object.values(geoReports).flatMap(({ columns }) => columnsFromGeo(columns).map(({ title }) => title)),
  ...wordsOf([alarms, eventTypes, commandTypes, commandInputs, eventValues, vehicleStates]),
  ...Object.values(penalties).map(({ label }) => label),
].filter((text) => text !== 'registrationNumber')

/** What the office reads: every screen, form and report; the names of events for other systems are put together, not listed. */
const ofOffice = [
  ...areas
    .flatMap(({ resources }) => resources)
    .flatMap(({ label, labelMany, fields, form, list, workflow, actions }) => [
      ...wordsOf([{ label }, { label: labelMany }, fields, form, list, workflow, actions]),
    ]),
  ...areas.flatMap(({ screens, menu, widgets, notifications, panels }) => [
    ...wordsOf([screens.map(({ title, menu: entry }) => ({ title, entry })), menu, widgets, notifications, panels]),
  ]),
  ...areas.flatMap(({ reports }) => reports ?? []).flatMap(({ title, description, fields }) => [title, description, ...wordsOf(fields)]),
].filter((text) => !/^[a-z]+[A-Z]\w*$/.test(text) && !/: (created|moved|removed|restored|updated)$/.test(text))

describe('the words of forms and screens that people use in the field, and of the fleet', () => {
  it('are many', () => {
    expect(resources.length).toBeGreaterThan(5)
    expect([ofResources.length > 250, ofScreens.length > 15, ofTours.length > 60, ofFleet.length > 500]).toEqual([true, true, true, true])
  })

  it.each(['fr', 'pt', 'sw'])('are all there in %s', (code) => {
    const bundle = JSON.parse(readFileSync(new URL(`../../apps/console/src/languages/${code}.json`, import.meta.url), 'utf8')) as Record<
      string,
      string
    >
    const missing = [...ofResources, ...ofScreens, ...ofTours, ...ofFleet].filter(
      (text) => !Object.hasOwn(bundle, text) && !Object.hasOwn(bundle, `${text}_other`),
    )
    expect([...new Set(missing)]).toEqual([])
  })

  it('are all there in French for the office too', () => {
    const bundle = JSON.parse(readFileSync(new URL('../../apps/console/src/languages/fr.json', import.meta.url), 'utf8')) as object
    const missing = ofOffice.filter((text) => !Object.hasOwn(bundle, text) && !Object.hasOwn(bundle, `${text}_other`))
    expect(ofOffice.length).toBeGreaterThan(1_500)
    expect([...new Set(missing)]).toEqual([])
  })
})

import { afterAll, describe, expect, it } from 'vitest'
import { activityWorld, plan } from './support.ts'

const { world, statuses, rows, move } = await activityWorld()
afterAll(() => world.app.close())

interface Told {
  timeline: { what: string; who: string; detail: string | null }[]
  steps: { label: string; is: string; at?: string; who?: string }[]
}
const told = async (id: string) => (await world.as.manager.get<Told>(`/api/activities/${id}/timeline`)).body.data
const whole = (id: string, meaning: string) => world.as.manager.put(`/api/activities/status/${id}`, { statusId: statuses[meaning] })

describe('the moves of an activity', () => {
  it('are one log with those of its agents, each shown once, with whose part it was and how far from the place', async () => {
    const { officer, manager } = world.people
    const made = await plan(world.as.manager, { assignedUsers: [officer.id, manager.id], location: 'Shop', lat: -1.28, lng: 36.8 })
    await move(world.as.officer, made.Id, 'started', { latitude: -1.2801, longitude: 36.8, gps: true })
    await move(world.as.manager, made.Id, 'started')
    await whole(made.Id, 'done')
    const { timeline, steps } = await told(made.Id)
    const moves = timeline.filter(({ what }) => what.startsWith('Status')).toReversed()
    expect(moves.map(({ what, who, detail }) => [what, who, detail])).toEqual([
      ['Status It is open → It is started', 'Chidi Officer', '11 m from the place'],
      ['Status It is open → It is started', 'Baraka Manager', null],
      ['Status It is started → It is done', 'Baraka Manager', null],
    ])
    expect(steps.map(({ label, is }) => `${label} ${is}`)).toEqual(['It is open passed', 'It is started passed', 'It is done done'])
    expect(steps.map(({ who }) => who)).toEqual(['Baraka Manager', 'Chidi Officer', 'Baraka Manager'])
    const log = await rows<{ partId: string | null; move: string; meaning: string; isFirst: boolean }>(
      'select "partId", "move", "meaning", "isFirst" from record_move where "objectId" = $1 order by "dateCreated", "partId" nulls first',
      [made.Id],
    )
    expect(log.filter(({ partId }) => partId === null).map(({ move: name, meaning }) => [name, meaning])).toEqual([
      ['follow', 'started'],
      ['done', 'done'],
    ])
    expect(log.filter(({ partId }) => partId !== null).map(({ move: name, meaning }) => [name, meaning])).toEqual([
      ['started', 'started'],
      ['started', 'started'],
      ['follow', 'done'],
      ['follow', 'done'],
    ])
    expect(log.every(({ isFirst }) => isFirst === true)).toBe(true)
  })

  it('give a report of the time in each status, every number of which opens its activities', async () => {
    const [first, second] = [await plan(world.as.officer), await plan(world.as.officer)]
    await move(world.as.officer, first.Id, 'started')
    await move(world.as.officer, first.Id, 'done')
    await move(world.as.officer, second.Id, 'cancelled')
    const answer = await world.as.admin.post<{ preview: { rows: Record<string, number>[]; opens: Record<string, string>[] } }>(
      '/api/reports/preview',
      {
        report: 'activityTimeInStateReport',
        parameters: { officer: world.people.officer.id },
      },
    )
    expect(answer.status, answer.text).toBe(200)
    const { rows: states, opens } = answer.body.data.preview
    const counted = async (address: string) => {
      const query = new URL(address, 'http://x').searchParams
      const list = new URLSearchParams({
        dateType: String(query.get('dateType')),
        startDate: String(query.get('from')),
        endDate: String(query.get('to')),
        filter: String(query.get('filter')),
      })
      return (await world.as.admin.get(`/api/activities?${list.toString()}`)).body.meta?.total
    }
    expect(states.reduce((sum, { passed }) => sum + Number(passed), 0)).toBeGreaterThanOrEqual(3)
    for (const [place, { passed, here }] of states.entries()) {
      if (Number(passed) > 0) expect(await counted(opens[place]?.['passed'] ?? '')).toBe(passed)
      if (Number(here) > 0) expect(await counted(opens[place]?.['here'] ?? '')).toBe(here)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { tourOf, tours } from './tours.ts'

describe('tours of field screens', () => {
  it('are found by the path that is open, a record’s too', () => {
    expect(tourOf('/sales/activities/activity-plan/0a1b/map-view')?.name).toBe('route')
    expect(tourOf('/sales/activities/activity-plan/0a1b/edit')).toBeUndefined()
    expect(tourOf('/sales/activities/activity-plan')).toBeUndefined()
    expect(
      ['/agents/landingpage', '/sales/leads/create', '/sales/activities/create', '/offline/attention'].map((path) => tourOf(path)?.name),
    ).toEqual(['my-work', 'lead-form', 'activity-form', 'unsent-work'])
    expect(new Set(tours.map(({ name }) => name)).size).toBe(tours.length)
  })
})

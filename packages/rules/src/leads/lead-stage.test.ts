import { expect, it } from 'vitest'
import { isStale, leadFunnel, openLeadStatuses, staleAfterDays, wholeDays } from './lead-stage.ts'
import { leadStatuses, leadStatusNames, nextLeadStatuses } from './lead-status.ts'

it('counts whole days and never below zero', () => {
  const now = new Date('2026-03-10T08:00:00Z')
  expect([
    wholeDays(new Date('2026-03-08T08:00:00Z'), now),
    wholeDays(new Date('2026-03-08T08:00:01Z'), now),
    wholeDays(new Date('2026-03-11T00:00:00Z'), now),
  ]).toEqual([2, 1, 0])
})

it('treats a lead as stale after the days of its status, and never an ended one', () => {
  expect([
    isStale('New', 2),
    isStale('New', 3),
    isStale('Nurture', 30),
    isStale('Junk', 999),
    isStale('Converted', 999),
    isStale('Made up', 999),
  ]).toEqual([false, true, false, false, false, false])
  expect(Object.keys(staleAfterDays).toSorted()).toEqual([...openLeadStatuses].toSorted())
})

it('has a road on which each stage may follow the previous one', () => {
  for (const [index, name] of leadFunnel.slice(1).entries()) expect(nextLeadStatuses(leadFunnel[index] ?? ''), name).toContain(name)
  expect(openLeadStatuses.every((name) => leadStatuses[name].type !== 'Won' && leadStatuses[name].type !== 'Lost')).toBe(true)
  expect(leadStatusNames.length).toBeGreaterThan(openLeadStatuses.length)
})

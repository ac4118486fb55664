import type { ActionDefinition } from '../types.ts'

interface Asked {
  /** Asked before: a title, and what follows. */
  title: string
  body?: string
}

/** The action that deletes the chosen records by the call `route`, after a question; `undo` names the call that restores them. */
export const bulkDeleteAction = (route: string, confirm: Asked, undo?: string) =>
  ({
    route,
    label: 'Delete',
    scope: 'bulk',
    idField: 'ids',
    many: true,
    danger: true,
    confirm,
    ...(undo === undefined ? {} : { undo }),
  }) satisfies ActionDefinition

/** The action that deletes one record. `more`: where it is offered. */
export const deleteAction = (route: string, confirm: Asked, more: Pick<ActionDefinition, 'visibleIf'> & { undo?: string } = {}) =>
  ({ route, label: 'Delete', scope: 'row', idField: 'id', danger: true, confirm, ...more }) satisfies ActionDefinition

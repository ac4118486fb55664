import { removedAnswer } from '../../kernel/resource/answers.ts'
import { anySession, defineArea, route } from '../../kernel/area.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { createInput, createView, leaveView, listInput, listViews, mostViews, removeView, updateInput, updateView, viewAnswer, viewsAnswer } from './view.handlers.ts'

/** Kept arrangements of lists: mine, a colleague's shared by name, a role's, a tenant's, everybody's. */
export const viewsArea = defineArea({
  name: 'views',
  settings: [mostViews],
  routes: [
    route('views.list', 'GET', '/api/views', anySession, query(listInput, listViews, viewsAnswer), { own: true }),
    route('views.create', 'POST', '/api/views', anySession, command(createInput, createView, viewAnswer), { own: true }),
    route('views.leave', 'DELETE', '/api/views/:id/share', anySession, command(idInput, leaveView, removedAnswer), { own: true, summary: 'Drops a view that somebody shares with the caller' }),
    route('views.update', 'PUT', '/api/views/:id', anySession, command(updateInput, updateView, viewAnswer), { own: true }),
    route('views.remove', 'DELETE', '/api/views/:id', anySession, command(idInput, removeView, removedAnswer), { own: true }),
  ],
})

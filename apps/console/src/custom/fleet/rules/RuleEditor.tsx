import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input, InputNumber, Select, Switch } from 'antd'
import { eventTypes } from '@outpost/contract/geo/events'
import { isScheduled } from '@outpost/contract/geo/rule-words'
import { useState } from 'react'
import { call } from '../../../data/calls.ts'
import { useLayout } from '../../../data/queries.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import type { CustomProps } from '../../props.ts'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import { AlarmChoice, Conditions } from './Conditions.tsx'
import { FenceChoice } from './choices.tsx'
import { Hours, Schedule } from './Hours.tsx'
import { Preview } from './Preview.tsx'
import { problemsOf } from './problems.ts'
import { draftOf, emptyRule, isOfFences, isWholeRule, pathOfRow, ruleBody, type RuleDraft, type StoredRule } from './rule.ts'
import { NotifyFields } from './NotifyFields.tsx'
import { escalationOf, isWhole, reactionWrites, type StoredReaction, type RuleNotification } from './rule-notification.ts'
import '../fleet.css'

const severities = [
  { value: 'info', label: 'Information' },
  { value: 'warning', label: 'Warning' },
  { value: 'critical', label: 'Critical' },
]

/** A rule in words: when what happens, only where, of what and in which hours, and whom it tells. Beside it, how often it would have rung. */
export function RuleEditor({ params: { id } }: CustomProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'eventIo', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => (await call('eventIos.get', { params: { id: id ?? '' } }, { signal })).data.eventIo,
  })
  const reactions = useQuery({
    queryKey: ['records', 'eventAction', 'of', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => (await call('eventActions.ofRule', { params: { id: id ?? '' } }, { signal })).data.eventActions,
  })
  if (id === undefined) return <Editor reactions={[]} />
  if (data && !error && reactions.data) return <Editor key={data.version} id={id} stored={data} reactions={reactions.data} />
  return (
    <UnloadedEditor
      title={t('Event rule')}
      what={t('This rule')}
      error={error ?? reactions.error}
      onRetry={() => void (error ? refetch() : reactions.refetch())}
    />
  )
}

function Editor({ id, stored, reactions }: { id?: string; stored?: StoredRule; reactions: readonly StoredReaction[] }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const me = useLayout().data?.user.Id
  const [draft, setDraft] = useState<RuleDraft>(stored ? draftOf(stored) : emptyRule)
  const [notification, setNotification] = useState<RuleNotification>({
    me: id === undefined,
    emails: [],
    escalation: escalationOf(reactions),
  })
  const change = (changes: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: async () => {
      const body = { ...ruleBody(draft), ...(stored?.version === undefined ? {} : { version: stored.version }) }
      const { data } = id === undefined ? await call('eventIos.create', { body }) : await call('eventIos.update', { params: { id }, body })
      const eventIoId = data.eventIo.Id
      const called = (what: string) => `${draft.name.trim()}: ${what}`
      const words = { notify: called(t('told here')), email: called(t('mail')) }
      const { create, update } = reactionWrites(notification, { me, reactions, words })
      for (const { id: reactionId, ...changed } of update)
        await call('eventActions.update', { params: { id: reactionId }, body: { ...changed } })
      for (const one of create) await call('eventActions.create', { body: { ...one, eventIoId } })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['records', 'eventIo'] })
      await client.invalidateQueries({ queryKey: ['records', 'eventAction'] })
      toast.success({ title: t('Rule saved'), body: draft.name })
      void navigate({ to: '/tracking/event-ios' })
    },
  })
  const rows = draft.conditions.map((_, row) => pathOfRow(draft, row))
  const { problemAt, isShown } = problemsOf(save.error, ['name', 'cooldownSeconds', 'calendar', 'schedule', ...rows])
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{id === undefined ? t('New event rule') : draft.name}</h1>
        </div>
      </header>
      <div className="fleet-editor">
        <Form noValidate layout="vertical" onFinish={() => save.mutate()}>
          <Form.Item label={t('Name')} htmlFor="rule-name" required {...problemProps(problemAt('name'))}>
            <Input id="rule-name" maxLength={120} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
          </Form.Item>
          <When draft={draft} change={change} />
          {isScheduled(draft.eventType) ? <Schedule draft={draft} change={change} problem={problemAt('schedule')} /> : null}
          <Conditions draft={draft} change={change} problemAt={problemAt} />
          <Hours draft={draft} change={change} problem={problemAt('calendar')} />
          <Form.Item label={t('Severity')} htmlFor="rule-severity">
            <Select
              id="rule-severity"
              value={draft.severity}
              onChange={(severity) => change({ severity })}
              options={severities.map((one) => ({ ...one, label: t(one.label) }))}
            />
          </Form.Item>
          <Form.Item label={t('Quiet afterwards (minutes)')} htmlFor="rule-cooldown" {...problemProps(problemAt('cooldownSeconds'))}>
            <InputNumber
              id="rule-cooldown"
              min={0}
              max={10_080}
              value={draft.cooldownMinutes}
              onChange={(value) => change({ cooldownMinutes: value ?? 0 })}
            />
          </Form.Item>
          <NotifyFields isNew={id === undefined} reactions={reactions} notification={notification} setNotification={setNotification} />
          <label className="fleet-switch">
            <Switch size="small" checked={draft.isActive} onChange={(isActive) => change({ isActive })} /> {t('On')}
          </label>
          {save.error && !isShown ? <Alert type="error" showIcon title={errorText(save.error)} /> : null}
          <div className="fleet-acts">
            <Button
              type="primary"
              htmlType="submit"
              disabled={draft.name.trim() === '' || !isWholeRule(draft) || !isWhole(notification, reactions)}
              loading={save.isPending}
            >
              {t('Save')}
            </Button>
            <Button onClick={() => void navigate({ to: '/tracking/event-ios' })}>{t('Cancel')}</Button>
          </div>
        </Form>
        <Preview
          body={isWholeRule(draft) ? ruleBody(draft) : undefined}
          isScheduled={isScheduled(draft.eventType)}
          missing={t('Finish what must hold to see how often it would have rung.')}
        />
      </div>
    </>
  )
}

const problemProps = (problem: string | undefined) => (problem === undefined ? {} : { help: problem, validateStatus: 'error' as const })

interface Part {
  draft: RuleDraft
  change: (changes: Partial<RuleDraft>) => void
}

function When({ draft, change }: Part) {
  const isNeeded = isScheduled(draft.eventType)
  return (
    <>
      <Form.Item label={t('When')} htmlFor="rule-when" required>
        <Select
          id="rule-when"
          showSearch={{ optionFilterProp: 'label' }}
          value={draft.eventType}
          onChange={(eventType) => change({ eventType })}
          options={Object.entries(eventTypes).map(([value, { label }]) => ({ value, label: t(label) }))}
        />
      </Form.Item>
      {isOfFences(draft.eventType) ? (
        <Form.Item
          label={isNeeded ? t('At these fences') : t('Only of these fences')}
          htmlFor="rule-fences"
          required={isNeeded}
          extra={isNeeded ? undefined : t('Left empty: of any fence')}
        >
          <FenceChoice id="rule-fences" value={draft.fenceIds} onChange={(fenceIds) => change({ fenceIds })} />
        </Form.Item>
      ) : null}
      {draft.eventType === 'alarm' ? (
        <Form.Item label={t('Only these alarms')} htmlFor="rule-alarms" extra={t('Left empty: any alarm')}>
          <AlarmChoice id="rule-alarms" value={draft.alarms} onChange={(names) => change({ alarms: names })} />
        </Form.Item>
      ) : null}
    </>
  )
}

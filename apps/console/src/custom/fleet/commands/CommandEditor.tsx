import { commandNames } from '@outpost/contract/geo/commands'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { call, type CallData } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import type { CustomProps } from '../../props.ts'
import { BranchChoice } from '../BranchChoice.tsx'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import { emptyParameters, isWholeCommand, parameterDraftOf, Parameters, parametersOf, type ParameterDraft } from './Parameters.tsx'
import { commandWords } from './words.ts'
import '../fleet.css'

type Stored = CallData<'commands.get'>['command']

/** A command that is kept under a name, with its parameters in words. */
export function CommandEditor({ params: { id } }: CustomProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'command', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => (await call('commands.get', { params: { id: id ?? '' } }, { signal })).data.command,
  })
  if (id === undefined) return <Editor />
  if (data && !error) return <Editor key={data.version} stored={data} />
  return <UnloadedEditor title={t('Command')} what={t('This command')} error={error} onRetry={() => void refetch()} />
}

function Editor({ stored }: { stored?: Stored }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [name, setName] = useState(stored?.name ?? '')
  const [tenantId, setTenant] = useState(stored?.tenantId ?? null)
  const [commandType, setType] = useState<string>(stored?.commandType ?? 'positionSingle')
  const [parameters, setParameters] = useState<ParameterDraft>(stored ? parameterDraftOf(stored.parameters) : emptyParameters)
  // What only a program has set (how a model wants it) stays while the command is the same.
  const kept = stored?.commandType === commandType ? stored.parameters : {}
  const save = useMutation({
    mutationFn: () => {
      const given = { ...kept, ...parametersOf(commandType, parameters) }
      const body = { name: name.trim(), commandType, parameters: given, ...(tenantId === null ? {} : { tenantId }) }
      return stored
        ? call('commands.update', { params: { id: stored.Id }, body: { ...body, ...(stored.version ? { version: stored.version } : {}) } })
        : call('commands.create', { body })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['records', 'command'] })
      toast.success({ title: t('Command saved'), body: name })
      void navigate({ to: '/tracking/commands' })
    },
  })
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{stored ? stored.name : t('New command')}</h1>
        </div>
      </header>
      <Form noValidate layout="vertical" className="fleet-box fleet-narrow" onFinish={() => save.mutate()}>
        <Form.Item label={t('Name')} htmlFor="command-name" required>
          <Input id="command-name" maxLength={120} value={name} onChange={(event) => setName(event.target.value)} />
        </Form.Item>
        <Form.Item label={t('Command')} htmlFor="command-type" required>
          <Select
            id="command-type"
            showSearch={{ optionFilterProp: 'label' }}
            value={commandType}
            onChange={setType}
            options={commandNames.map((value) => ({ value, label: commandWords(value) }))}
          />
        </Form.Item>
        <Parameters
          id="command"
          commandType={commandType}
          draft={parameters}
          change={(changes) => setParameters({ ...parameters, ...changes })}
        />
        <BranchChoice id="command-branch" value={tenantId} onChange={setTenant} />
        {save.error ? <Alert type="error" showIcon title={errorText(save.error)} /> : null}
        <div className="fleet-acts">
          <Button
            type="primary"
            htmlType="submit"
            disabled={name.trim() === '' || !isWholeCommand(commandType, parameters)}
            loading={save.isPending}
          >
            {t('Save')}
          </Button>
          <Button onClick={() => void navigate({ to: '/tracking/commands' })}>{t('Cancel')}</Button>
        </div>
      </Form>
    </>
  )
}

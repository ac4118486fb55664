import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Alert, Select } from 'antd'
import type { CallData } from '@outpost/client/client'
import { call, pathOf } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { SearchBox } from '../../view/SearchBox.tsx'
import { EmptyState, ErrorState, ErrorText, LoadingState } from '../../view/states/index.tsx'
import './product-matrix.css'

type Matrix = CallData<'products.matrix'>
type Tenant = Matrix['tenants'][number]
type Cell = Tenant['cells'][number]
type Mark = 'inherit' | 'yes' | 'no'
const marks: readonly Mark[] = ['inherit', 'yes', 'no']
const valueOf = { inherit: null, yes: true, no: false } as const
const key = () => keys.list('productOffer', pathOf('products.matrix'), {})

/** Which tenants offer which product: a mark of its own, or what it inherits from above. */
export function ProductMatrix() {
  const { address, patch } = useAddress()
  const search = textOf(address['search']) ?? ''
  const { data, error, isPending, refetch } = useQuery({
    queryKey: key(),
    queryFn: async ({ signal }) => (await call('products.matrix', {}, { signal })).data,
  })
  return (
    <div className="view pm">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Products of tenants')}</h1>
        </div>
      </header>
      <p className="pm-hint">{t('A tenant offers what those above it offer, until it has a mark of its own.')}</p>
      {isPending ? (
        <LoadingState rows={6} />
      ) : error ? (
        <ErrorState error={error} what={t('Products of tenants')} onRetry={() => void refetch()} />
      ) : data.products.length === 0 ? (
        <EmptyState title={t('No products yet')} body={t('A product says what a loan may be and what it costs.')} />
      ) : (
        <>
          <SearchBox
            className="pm-search"
            value={search}
            label={t('Search tenants')}
            placeholder={t('Search tenants')}
            onSearch={(text) => patch({ search: text || undefined })}
          />
          <Grid data={data} search={search} />
        </>
      )}
    </div>
  )
}

function Grid({ data: { products, tenants }, search }: { data: Matrix; search: string }) {
  const shown = tenants.filter(({ name }) => name.toUpperCase().includes(search.trim().toUpperCase()))
  return (
    <div className="pm-scroll" role="group" aria-label={t('Products of tenants')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Tenant')}</th>
            {products.map(({ Id, name, category, isPublished }) => (
              <th key={Id} scope="col">
                {name}
                <small>
                  {category}
                  {isPublished ? '' : ` · ${t('not published')}`}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((tenant) => (
            <tr key={tenant.Id}>
              <th scope="row" style={{ paddingInlineStart: 16 + 20 * tenant.depth }}>
                {tenant.name}
              </th>
              {products.map(({ Id, name }) => (
                <td key={Id}>
                  <Choice tenant={tenant} cell={tenant.cells.find(({ productId }) => productId === Id)} label={`${name}, ${tenant.name}`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <EmptyState title={t('No tenant of this name')} />}
    </div>
  )
}

function Choice({ tenant, cell, label }: { tenant: Tenant; cell: Cell | undefined; label: string }) {
  const [error, setError] = useState<unknown>()
  const [isSaving, setSaving] = useState(false)
  if (!cell) return null
  const word = (isOffered: boolean) => t(isOffered ? 'Offered' : 'Not offered')
  const inherited = cell.isOwn ? t('Inherit') : `${word(cell.isOffered)} (${cell.from ?? t('inherited')})`
  const save = async (mark: Mark) => {
    setSaving(true)
    setError(undefined)
    try {
      const { data, message } = await call('products.setOffer', {
        body: { tenantId: tenant.Id, productId: cell.productId, isOffered: valueOf[mark] },
      })
      queryClient.setQueryData(key(), data)
      toast.success({ title: message ?? t('Saved') })
    } catch (cause) {
      setError(cause)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <Select<Mark>
        aria-label={label}
        className="pm-mark"
        data-own={cell.isOwn || undefined}
        data-offered={cell.isOffered || undefined}
        variant={cell.isOwn ? 'outlined' : 'filled'}
        loading={isSaving}
        value={cell.isOwn ? (cell.isOffered ? 'yes' : 'no') : 'inherit'}
        options={marks.map((value) => ({ value, label: value === 'inherit' ? inherited : word(value === 'yes') }))}
        onChange={(mark) => void save(mark)}
      />
      {error === undefined ? null : <Alert type="error" role="alert" title={<ErrorText error={error} />} />}
    </>
  )
}

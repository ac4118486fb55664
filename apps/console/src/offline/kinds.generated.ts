import type { KeptKind } from '@outpost/contract/sync/kept-kinds'

/** Made by `npm run generate` from the resources that say `offline`; not to be edited. */
export const generatedKinds: readonly KeptKind[] = [
  {
    type: 'activity',
    label: 'Activity',
    isReadOnly: false,
    window: {
      field: 'endDate',
      days: 90
    },
    title: 'name',
    joined: {},
    required: [
      'name',
      'startDate',
      'endDate'
    ],
    entered: [
      'name',
      'description',
      'activityTypeId',
      'location',
      'lat',
      'lng',
      'startDate',
      'endDate',
      'assignedUsers',
      'leads',
      'clients'
    ],
    form: [
      'name',
      'description',
      'activityTypeId',
      'location',
      'lat',
      'lng',
      'startDate',
      'endDate',
      'assignedUsers',
      'leads',
      'clients'
    ],
    labels: {
      name: 'Name',
      description: 'Description',
      activityTypeId: 'Type',
      location: 'Place',
      lat: 'Latitude',
      lng: 'Longitude',
      startDate: 'Start',
      endDate: 'End',
      assignedUsers: 'Agents',
      leads: 'Leads',
      clients: 'Clients',
      visit: 'Visit',
      move: 'Status'
    },
    defaults: {},
    given: {
      status: 'PENDING',
      meaning: 'open',
      location: {
        of: 'place'
      },
      lat: {
        of: 'lat'
      },
      lng: {
        of: 'lng'
      },
      assignedUsers: {
        of: 'userId'
      },
      createdUserId: {
        of: 'userId'
      },
      createdBy: {
        of: 'userName'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'name',
      'description',
      'location'
    ],
    dates: {
      start: {
        from: 'startDate',
        until: 'startDate'
      },
      created: {
        from: 'dateCreated',
        until: 'dateCreated'
      }
    },
    links: {
      activityTypeId: 'activityType',
      assignedUsers: 'user',
      leads: 'lead',
      clients: 'client'
    },
    sets: [
      'assignedUsers',
      'leads',
      'clients'
    ],
    lines: [],
    same: [],
    calls: [
      'visit',
      'move'
    ],
    wholes: [],
    errors: {
      notFound: {
        code: 'ACTIVITY_NOT_FOUND',
        status: 404,
        message: 'Activity not found'
      }
    },
    get: '/api/activities/:id',
    edit: '/sales/activities/:id/edit'
  },
  {
    type: 'activityPlan',
    label: 'Route plan',
    isReadOnly: false,
    window: {
      field: 'endDate',
      days: 90
    },
    title: 'name',
    joined: {},
    required: [
      'name',
      'startDate',
      'endDate'
    ],
    entered: [
      'name',
      'startDate',
      'endDate',
      'notes',
      'startLocation',
      'startLat',
      'startLng'
    ],
    form: [],
    labels: {
      name: 'Name',
      startDate: 'First day',
      endDate: 'Last day',
      notes: 'Notes',
      startLocation: 'Days begin at',
      startLat: 'Start latitude',
      startLng: 'Start longitude',
      returnsToStart: 'Back to the start',
      speed: 'Speed (km/h)',
      roadFactor: 'Way per straight metre',
      dayStart: 'Day begins (minute)',
      dayEnd: 'Day ends (minute)',
      longestDay: 'Longest day (hours)',
      planned: 'Stops',
      move: 'Status'
    },
    defaults: {
      returnsToStart: false,
      speed: 30,
      roadFactor: 1.3,
      dayStart: 480,
      dayEnd: 1020,
      longestDay: 9
    },
    given: {
      status: 'PENDING',
      createdUserId: {
        of: 'userId'
      },
      createdBy: {
        of: 'userName'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'name',
      'notes'
    ],
    dates: {
      planned: {
        from: 'startDate',
        until: 'endDate'
      }
    },
    links: {},
    sets: [],
    lines: [],
    same: [],
    calls: [
      'planned',
      'move'
    ],
    wholes: [
      'planned'
    ],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/activities/activity-plan/:id'
  },
  {
    type: 'agentAction',
    label: 'Agent action',
    isReadOnly: true,
    isListed: true,
    title: 'agentName',
    joined: {},
    required: [],
    entered: [],
    form: [],
    labels: {},
    defaults: {},
    given: {
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'agentName',
      'userName'
    ],
    dates: {
      created: {
        from: 'dateCreated',
        until: 'dateCreated'
      },
      done: {
        from: 'at',
        until: 'at'
      }
    },
    links: {},
    sets: [],
    lines: [],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    }
  },
  {
    type: 'asset',
    label: 'Asset',
    isReadOnly: true,
    isListed: true,
    title: 'registrationNumber',
    joined: {},
    required: [
      'registrationNumber'
    ],
    entered: [
      'registrationNumber',
      'make',
      'model',
      'colour',
      'year',
      'vehicleIdentificationNumber',
      'engineNumber',
      'odometer',
      'engineHours',
      'categoryId',
      'groupIds',
      'clientId',
      'loanId',
      'note'
    ],
    form: [
      'registrationNumber',
      'make',
      'model',
      'colour',
      'year',
      'vehicleIdentificationNumber',
      'engineNumber',
      'odometer',
      'engineHours',
      'categoryId',
      'groupIds',
      'clientId',
      'loanId',
      'note'
    ],
    labels: {},
    defaults: {
      mapIcon: 'car',
      status: 'Active'
    },
    given: {
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'registrationNumber',
      'make',
      'model',
      'colour',
      'vehicleIdentificationNumber',
      'engineNumber'
    ],
    dates: {
      dateCreated: {
        from: 'dateCreated',
        until: 'dateCreated'
      }
    },
    links: {
      categoryId: 'assetCategory',
      groupIds: 'assetGroup',
      clientId: 'client',
      loanId: 'loan'
    },
    sets: [
      'groupIds'
    ],
    lines: [],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/tracking/assets/:id',
    edit: '/tracking/assets/edit/:id'
  },
  {
    type: 'case',
    label: 'Case',
    isReadOnly: false,
    window: {
      field: 'resolvedAt',
      days: 90
    },
    title: 'title',
    joined: {},
    required: [
      'title',
      'priority'
    ],
    entered: [
      'title',
      'ownerUserId',
      'dueDate',
      'leadId',
      'clientId',
      'description'
    ],
    form: [
      'title',
      'ownerUserId',
      'dueDate',
      'leadId',
      'clientId',
      'description'
    ],
    labels: {
      title: 'Title',
      priority: 'Priority',
      ownerUserId: 'Owner',
      dueDate: 'Due',
      leadId: 'Lead',
      clientId: 'Client',
      description: 'Description',
      move: 'Stage'
    },
    defaults: {
      priority: 'Normal'
    },
    given: {
      status: 'New',
      ownerUserId: {
        of: 'userId'
      },
      createdBy: {
        of: 'userName'
      },
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'caseNumber',
      'title',
      'description'
    ],
    dates: {
      opened: {
        from: 'dateCreated',
        until: 'dateCreated'
      },
      due: {
        from: 'dueDate',
        until: 'dueDate'
      },
      settled: {
        from: 'resolvedAt',
        until: 'resolvedAt'
      }
    },
    links: {
      ownerUserId: 'user',
      leadId: 'lead',
      clientId: 'client'
    },
    sets: [],
    lines: [],
    same: [],
    calls: [
      'move'
    ],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/cases/:id',
    edit: '/sales/cases/edit/:id'
  },
  {
    type: 'client',
    label: 'Client',
    isReadOnly: false,
    title: 'fullName',
    joined: {
      fullName: [
        'firstName',
        'lastName'
      ]
    },
    required: [
      'firstName',
      'lastName',
      'phonenumber'
    ],
    entered: [
      'firstName',
      'lastName',
      'phonenumber',
      'contactNumber',
      'emailAddress',
      'receiptsBy',
      'idNumber',
      'dateOfBirth',
      'type',
      'employer',
      'empNumber',
      'jobTitle',
      'employedSince',
      'leadId',
      'assignedUserId',
      'location',
      'lineone',
      'city',
      'state',
      'postcode',
      'country',
      'latitude',
      'longitude',
      'identifiers',
      'contacts',
      'addresses',
      'nextOfKin',
      'documents',
      'notes'
    ],
    form: [
      'firstName',
      'lastName',
      'phonenumber',
      'contactNumber',
      'emailAddress',
      'receiptsBy',
      'idNumber',
      'dateOfBirth',
      'type',
      'employer',
      'empNumber',
      'jobTitle',
      'employedSince',
      'leadId',
      'assignedUserId',
      'lineone',
      'city',
      'state',
      'postcode',
      'country',
      'identifiers',
      'contacts',
      'addresses',
      'nextOfKin',
      'documents',
      'notes'
    ],
    labels: {
      firstName: 'First name',
      lastName: 'Last name',
      phonenumber: 'Phone',
      contactNumber: 'Other phone',
      emailAddress: 'E-mail',
      receiptsBy: 'Receipts',
      idNumber: 'ID number',
      dateOfBirth: 'Date of birth',
      type: 'Type',
      employer: 'Employer',
      empNumber: 'Employee number',
      jobTitle: 'Position',
      employedSince: 'Employed since',
      status: 'Status',
      statusReason: 'Reason',
      leadId: 'Lead',
      assignedUserId: 'Agent',
      tenantId: 'Branch',
      location: 'Place',
      lineone: 'Street',
      city: 'Town',
      state: 'Province or county',
      postcode: 'Postcode',
      country: 'Country',
      latitude: 'Latitude',
      longitude: 'Longitude',
      identifiers: 'Identifiers',
      contacts: 'Further contacts',
      addresses: 'Addresses',
      nextOfKin: 'Next of kin and guarantors',
      documents: 'Documents',
      notes: 'Notes',
      ussdSecuredAt: 'USSD secured since'
    },
    defaults: {},
    given: {
      status: 'Active',
      assignedUserId: {
        of: 'userId'
      },
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'firstName',
      'lastName',
      'phonenumber',
      'emailAddress',
      'idNumber',
      'empNumber'
    ],
    dates: {
      created: {
        from: 'dateCreated',
        until: 'dateCreated'
      }
    },
    links: {
      leadId: 'lead',
      assignedUserId: 'user'
    },
    sets: [],
    lines: [
      'identifiers',
      'contacts',
      'addresses',
      'nextOfKin',
      'documents'
    ],
    same: [
      {
        field: 'trimmedPhonenumber',
        typed: 'phonenumber',
        kind: 'phone'
      },
      {
        field: 'emailAddress',
        typed: 'emailAddress',
        kind: 'email'
      }
    ],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      },
      same: {
        code: 'DUPLICATE_CLIENT',
        status: 400,
        message: 'Unable to save client, client already exists.',
        title: 'Another client has this phone number, e-mail or ID number.'
      }
    },
    get: '/api/clients/:id',
    edit: '/clients/edit/:id'
  },
  {
    type: 'clientGroup',
    label: 'Group',
    isReadOnly: false,
    title: 'name',
    joined: {},
    required: [
      'name',
      'minMembers',
      'maxMembers'
    ],
    entered: [
      'name',
      'registrationNumber',
      'formedOn',
      'assignedUserId',
      'members',
      'meetingRule',
      'meetingStart',
      'meetingPlace',
      'meetingChanges',
      'notes'
    ],
    form: [
      'name',
      'registrationNumber',
      'formedOn',
      'assignedUserId',
      'members',
      'meetingRule',
      'meetingStart',
      'meetingPlace',
      'meetingChanges',
      'notes'
    ],
    labels: {
      name: 'Name',
      registrationNumber: 'Registration number',
      formedOn: 'Formed',
      assignedUserId: 'Agent',
      minMembers: 'Fewest members',
      maxMembers: 'Most members',
      members: 'Members',
      status: 'Status',
      statusReason: 'Reason',
      meetingRule: 'Meets',
      meetingStart: 'First meeting',
      nextMeetingAt: 'Next meeting',
      meetingPlace: 'Meeting place',
      meetingChanges: 'Meetings moved or left out',
      notes: 'Notes',
      tenantId: 'Branch'
    },
    defaults: {
      minMembers: 5,
      maxMembers: 30
    },
    given: {
      assignedUserId: {
        of: 'userId'
      },
      status: 'Forming',
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'name',
      'registrationNumber',
      'meetingPlace'
    ],
    dates: {
      created: {
        from: 'dateCreated',
        until: 'dateCreated'
      },
      meeting: {
        from: 'nextMeetingAt',
        until: 'nextMeetingAt'
      }
    },
    links: {
      assignedUserId: 'user'
    },
    sets: [],
    lines: [
      'members',
      'meetingChanges'
    ],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/client-groups/:id',
    edit: '/clients/groups/edit/:id'
  },
  {
    type: 'collectionSheet',
    label: 'Collection sheet',
    isReadOnly: false,
    window: {
      field: 'meetingOn',
      days: 90
    },
    title: 'sheetNumber',
    joined: {},
    required: [
      'groupId',
      'meetingOn'
    ],
    entered: [
      'groupId',
      'meetingOn',
      'note',
      'lines'
    ],
    form: [
      'groupId',
      'meetingOn',
      'note',
      'lines'
    ],
    labels: {
      groupId: 'Group',
      meetingOn: 'Meeting',
      note: 'Note',
      lines: 'Members',
      status: 'Status',
      statusReason: 'Reason',
      postedAt: 'Posted',
      postedByUserId: 'Posted by',
      tenantId: 'Branch'
    },
    defaults: {},
    given: {
      status: 'Draft',
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'sheetNumber'
    ],
    dates: {
      meeting: {
        from: 'meetingOn',
        until: 'meetingOn'
      }
    },
    links: {
      groupId: 'clientGroup'
    },
    sets: [],
    lines: [
      'lines'
    ],
    begins: {
      lines: {
        field: 'groupId',
        lines: 'members',
        take: [
          'clientId'
        ],
        values: {
          received: 0,
          attendance: 'Present'
        }
      }
    },
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/collection-sheets/:id',
    edit: '/clients/groups/collection-sheets/:id/edit'
  },
  {
    type: 'lead',
    label: 'Lead',
    isReadOnly: false,
    title: 'fullName',
    joined: {
      fullName: [
        'firstName',
        'lastName'
      ]
    },
    required: [
      'firstName',
      'lastName',
      'phonenumber'
    ],
    entered: [
      'firstName',
      'lastName',
      'phonenumber',
      'emailAddress',
      'contactNumber',
      'idNumber',
      'empNumber',
      'employer',
      'type',
      'location',
      'latitude',
      'longitude',
      'lineone',
      'city',
      'postcode',
      'state',
      'country',
      'countryCode',
      'notes'
    ],
    form: [
      'firstName',
      'lastName',
      'phonenumber',
      'emailAddress',
      'contactNumber',
      'idNumber',
      'empNumber',
      'employer',
      'type',
      'location',
      'lineone',
      'city',
      'postcode',
      'state',
      'notes'
    ],
    labels: {
      firstName: 'First name',
      lastName: 'Last name',
      phonenumber: 'Phone',
      emailAddress: 'E-mail',
      contactNumber: 'Other phone',
      idNumber: 'ID number',
      empNumber: 'Employee number',
      employer: 'Employer',
      type: 'Type',
      source: 'Source',
      status: 'Status',
      statusReason: 'Reason',
      assignedUserId: 'Assigned to',
      tenantId: 'Branch',
      consentStatus: 'Consent',
      consentDate: 'Consent date',
      affordabilityOutcome: 'Affordability',
      affordabilityDate: 'Affordability date',
      installmentAmount: 'Instalment',
      totalAffordability: 'Affordable a month',
      location: 'Place',
      latitude: 'Latitude',
      longitude: 'Longitude',
      lineone: 'Street',
      city: 'Town',
      postcode: 'Postcode',
      state: 'Province or county',
      country: 'Country',
      countryCode: 'Country code',
      notes: 'Notes'
    },
    defaults: {
      source: 'UI'
    },
    given: {
      status: 'New',
      consentStatus: 'NONE PROVIDED',
      affordabilityOutcome: 'NONE',
      leadCreatedBy: {
        of: 'userName'
      },
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'firstName',
      'lastName',
      'phonenumber',
      'trimmedPhonenumber',
      'emailAddress',
      'idNumber',
      'empNumber'
    ],
    dates: {
      created: {
        from: 'dateCreated',
        until: 'dateCreated'
      },
      consent: {
        from: 'consentDate',
        until: 'consentDate'
      },
      affordability: {
        from: 'affordabilityDate',
        until: 'affordabilityDate'
      }
    },
    links: {},
    sets: [],
    lines: [],
    same: [
      {
        field: 'trimmedPhonenumber',
        typed: 'phonenumber',
        kind: 'phone'
      },
      {
        field: 'emailAddress',
        typed: 'emailAddress',
        kind: 'email'
      }
    ],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'LEAD_NOT_FOUND',
        status: 404,
        message: 'lead not found'
      },
      same: {
        code: 'DUPLICATE_LEAD',
        status: 400,
        message: 'Unable to create lead, lead already exists.',
        title: 'Duplicate email or phone number.'
      }
    },
    get: '/api/leads/:id',
    edit: '/sales/leads/edit/:id'
  },
  {
    type: 'loanApplication',
    label: 'Loan application',
    isReadOnly: false,
    window: {
      field: 'decidedAt',
      days: 90
    },
    title: 'applicationNumber',
    joined: {},
    required: [
      'productId',
      'amount',
      'instalments'
    ],
    entered: [
      'leadId',
      'clientId',
      'productId',
      'amount',
      'instalments',
      'firstDueAt',
      'purpose',
      'ownerUserId',
      'guarantors',
      'collateral',
      'papers'
    ],
    form: [
      'leadId',
      'clientId',
      'productId',
      'amount',
      'instalments',
      'firstDueAt',
      'purpose',
      'ownerUserId',
      'guarantors',
      'collateral',
      'papers'
    ],
    labels: {
      leadId: 'Lead',
      clientId: 'Client',
      productId: 'Product',
      amount: 'Amount',
      instalments: 'Instalments',
      firstDueAt: 'First instalment due',
      purpose: 'Purpose',
      ownerUserId: 'Officer',
      guarantors: 'Guarantors',
      collateral: 'Collateral',
      papers: 'Papers'
    },
    defaults: {},
    given: {
      ownerUserId: {
        of: 'userId'
      },
      status: 'Draft',
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'applicationNumber',
      'applicant',
      'purpose'
    ],
    dates: {
      made: {
        from: 'dateCreated',
        until: 'dateCreated'
      },
      submitted: {
        from: 'submittedAt',
        until: 'submittedAt'
      },
      decided: {
        from: 'decidedAt',
        until: 'decidedAt'
      }
    },
    links: {
      leadId: 'lead',
      clientId: 'client',
      productId: 'product',
      ownerUserId: 'user'
    },
    sets: [],
    lines: [
      'guarantors',
      'collateral',
      'papers'
    ],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/applications/:id',
    edit: '/sales/applications/edit/:id'
  },
  {
    type: 'reportCategory',
    label: 'Report category',
    isReadOnly: false,
    title: 'name',
    joined: {},
    required: [
      'name'
    ],
    entered: [
      'name',
      'parentCategoryId',
      'reports',
      'roles',
      'tenants'
    ],
    form: [
      'name',
      'parentCategoryId',
      'reports',
      'roles',
      'tenants'
    ],
    labels: {
      name: 'Name',
      parentCategoryId: 'Within',
      reports: 'Reports',
      roles: 'Roles',
      tenants: 'Tenants'
    },
    defaults: {},
    given: {
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'name'
    ],
    dates: {},
    links: {
      parentCategoryId: 'reportCategory',
      roles: 'role',
      tenants: 'tenant'
    },
    sets: [
      'roles',
      'tenants'
    ],
    lines: [],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'REPORT_CATEGORY_NOT_FOUND',
        status: 404,
        message: 'Failed to retrieve report_category details'
      }
    },
    get: '/api/report-categories/:id',
    edit: '/reports/categories/:id/edit'
  },
  {
    type: 'task',
    label: 'Task',
    isReadOnly: false,
    window: {
      field: 'completedAt',
      days: 90
    },
    title: 'title',
    joined: {},
    required: [
      'title',
      'priority'
    ],
    entered: [
      'title',
      'assignedUsers',
      'dueAt',
      'remindAt',
      'leadId',
      'clientId',
      'caseId',
      'loanId',
      'activityId',
      'note'
    ],
    form: [
      'title',
      'assignedUsers',
      'dueAt',
      'remindAt',
      'leadId',
      'clientId',
      'caseId',
      'loanId',
      'activityId',
      'note'
    ],
    labels: {
      title: 'Title',
      priority: 'Priority',
      assignedUsers: 'For',
      dueAt: 'Due',
      remindAt: 'Remind at',
      leadId: 'Lead',
      clientId: 'Client',
      caseId: 'Case',
      loanId: 'Loan',
      activityId: 'Activity',
      note: 'Note',
      move: 'Status'
    },
    defaults: {
      priority: 'Normal'
    },
    given: {
      status: 'Open',
      assignedUsers: {
        of: 'userId'
      },
      createdBy: {
        of: 'userName'
      },
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'taskNumber',
      'title',
      'note'
    ],
    dates: {
      created: {
        from: 'dateCreated',
        until: 'dateCreated'
      },
      due: {
        from: 'dueAt',
        until: 'dueAt'
      },
      completed: {
        from: 'completedAt',
        until: 'completedAt'
      }
    },
    links: {
      assignedUsers: 'user',
      leadId: 'lead',
      clientId: 'client',
      caseId: 'case',
      loanId: 'loan',
      activityId: 'activity'
    },
    sets: [
      'assignedUsers'
    ],
    lines: [],
    same: [],
    calls: [
      'move'
    ],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/tasks/:id',
    edit: '/tasks/edit/:id'
  },
  {
    type: 'webFormAnswer',
    label: 'Filled form',
    isReadOnly: false,
    window: {
      field: 'dateCreated',
      days: 90
    },
    title: 'name',
    joined: {},
    required: [
      'formVersionId'
    ],
    entered: [
      'name',
      'formVersionId',
      'leadId',
      'clientId',
      'activityId',
      'answers',
      'summary',
      'filledAt'
    ],
    form: [],
    labels: {
      name: 'Form',
      formVersionId: 'Version',
      leadId: 'Lead',
      clientId: 'Client',
      activityId: 'Activity',
      answers: 'Answers',
      summary: 'Answers in words',
      filledAt: 'Filled in'
    },
    defaults: {},
    given: {
      filledAt: {
        of: 'now'
      },
      createdByUserId: {
        of: 'userId'
      },
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'name',
      'summary'
    ],
    dates: {
      filled: {
        from: 'filledAt',
        until: 'filledAt'
      },
      arrived: {
        from: 'dateCreated',
        until: 'dateCreated'
      }
    },
    links: {
      formVersionId: 'webFormVersion',
      leadId: 'lead',
      clientId: 'client',
      activityId: 'activity'
    },
    sets: [],
    lines: [],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/web-forms/answers/:id'
  },
  {
    type: 'webFormVersion',
    label: 'Form',
    isReadOnly: true,
    isListed: true,
    title: 'title',
    joined: {},
    required: [],
    entered: [],
    form: [],
    labels: {},
    defaults: {},
    given: {
      dateCreated: {
        of: 'now'
      }
    },
    search: [
      'name',
      'description'
    ],
    dates: {},
    links: {},
    sets: [],
    lines: [],
    same: [],
    calls: [],
    wholes: [],
    errors: {
      notFound: {
        code: 'NOT_FOUND',
        status: 404,
        message: 'Not found.'
      }
    },
    get: '/api/web-forms/versions/:id'
  }
]

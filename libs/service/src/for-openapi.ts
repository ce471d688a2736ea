export {
  anyPageSchema,
  type CollectionDescription,
  DescribesCollection,
  listContent,
  Operation,
  type OperationDescription,
  type QuickStartStep,
  resourceSchema,
} from '@items/openapi';

# syntax=docker/dockerfile:1

# The manifests alone: the layers that install stay as they are until one of these files changes.
FROM node:24-slim AS manifests
WORKDIR /workspace
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/api-e2e/package.json apps/api-e2e/
COPY libs/caching/package.json libs/caching/
COPY libs/client/package.json libs/client/
COPY libs/collections/package.json libs/collections/
COPY libs/conformance/package.json libs/conformance/
COPY libs/contracts/package.json libs/contracts/
COPY libs/conventions/package.json libs/conventions/
COPY libs/dtos/package.json libs/dtos/
COPY libs/errors/package.json libs/errors/
COPY libs/events/package.json libs/events/
COPY libs/exception-filter/package.json libs/exception-filter/
COPY libs/fields/package.json libs/fields/
COPY libs/http/package.json libs/http/
COPY libs/logging/package.json libs/logging/
COPY libs/metrics/package.json libs/metrics/
COPY libs/nest/package.json libs/nest/
COPY libs/openapi/package.json libs/openapi/
COPY libs/operations/package.json libs/operations/
COPY libs/outside-tokens/package.json libs/outside-tokens/
COPY libs/pages/package.json libs/pages/
COPY libs/paging/package.json libs/paging/
COPY libs/passwords/package.json libs/passwords/
COPY libs/processes/package.json libs/processes/
COPY libs/settings/package.json libs/settings/
COPY libs/sqlite-driver/package.json libs/sqlite-driver/
COPY libs/store/package.json libs/store/
COPY libs/testing/package.json libs/testing/
COPY libs/throttling/package.json libs/throttling/
COPY libs/webhooks/package.json libs/webhooks/
COPY tools/package.json tools/
# npm runs it after each installation; on this Node it has nothing to do.
COPY tools/workspace/sqlite-binary.js tools/workspace/

FROM manifests AS production-dependencies
RUN npm ci --omit=dev --workspace=@items/api --include-workspace-root=false

FROM manifests AS build
RUN npm ci
COPY . .
RUN npm run build
# What runs is dist and the manifests beside it.
RUN rm -rf libs/testing && find apps libs -depth \( -name src -o -name spec \) -exec rm -rf {} +

FROM node:24-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:/data/items.sqlite
WORKDIR /workspace
COPY --from=production-dependencies /workspace/node_modules node_modules
COPY --from=build /workspace/libs libs
COPY --from=build /workspace/apps/api/package.json apps/api/
COPY --from=build /workspace/apps/api/dist apps/api/dist
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
# The certificate need not be one for 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s \
  CMD ["node", "-e", "const { PORT, TLS_CERT } = process.env; require(TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: PORT, path: '/health/ready', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "apps/api/dist/main.js"]

// The page of one model beside its module.
import { show } from "./view.js";

show(import("./predict.js").then(({ model }) => model));

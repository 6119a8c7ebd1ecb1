# make is a menu over one Go command, common/cmd/make: whatever make is asked for,
# that command does, and make alone lists it. GNU make from 3.81 on will do, and BSD
# make. Flags for a program: make ep02 ARGS='-n 1001'. Another folder to build in, for
# a checkout that cannot be written to: make ep02 BUILD=/some/folder.

# Two programs at once would spoil each other's times, so -j is not obeyed.
.NOTPARALLEL:

# This file's name, which can have spaces, behind those of others that were read
# before it. (BSD make knows the folder alone, by another name.)
names := $(MAKEFILE_LIST)$(.PARSEDIR)
export THIS_MAKEFILE=$(names)

# What was asked for, by its name in GNU make and in BSD make. A file may be called
# like it.
.PHONY: help $(MAKECMDGOALS) $(.TARGETS)

help $(filter-out help,$(MAKECMDGOALS)) $(.TARGETS:Nhelp):
	@list=$$THIS_MAKEFILE; while :; do \
		for dir in "./$$list" "$$list"; do \
			run="$${dir%/*}/common/cmd/make/run.sh"; [ ! -f "$$run" ] || exec sh "$$run" $@ $(ARGS); \
			run="$$dir/common/cmd/make/run.sh"; [ ! -f "$$run" ] || exec sh "$$run" $@ $(ARGS); \
		done; \
		case $$list in *' '*) list=$${list#* } ;; *) echo "the Makefile's folder is not found from its name, $$THIS_MAKEFILE" >&2; exit 2 ;; esac; \
	done
